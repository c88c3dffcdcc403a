/**
 * When each request arrives, known before the first is sent: an open model. Answers do not come into it, so a slow gateway cannot
 * slow the load down and look better for it.
 *
 * Within a leg the rate is a straight line, so the requests up to a moment t of it are a parabola, rate·t + slope·t²/2; the k-th request
 * arrives where that reaches k + ½.
 */
import type { Leg, PhaseName } from './profiles';

export interface Arrival {
  readonly phase: PhaseName;
  /** Since the beginning of the load. */
  readonly dueMs: number;
}

/** @param timeScale 1: real seconds; 0.1: a tenth of the time at the same rates, so a tenth of the requests */
export function arrivalsOf(legs: readonly Leg[], timeScale = 1): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  let legStartSeconds = 0;
  let before = 0;
  for (const { phase, seconds: wholeSeconds, fromPerMinute, toPerMinute } of legs) {
    const seconds = wholeSeconds * timeScale;
    const rate = fromPerMinute / 60;
    const slope = (toPerMinute - fromPerMinute) / 60 / seconds;
    const after = before + ((fromPerMinute + toPerMinute) / 120) * seconds;
    while (arrivals.length + 0.5 <= after) {
      const offsetSeconds = whenReached(arrivals.length + 0.5 - before, rate, slope);
      arrivals.push({ phase, dueMs: (legStartSeconds + Math.min(offsetSeconds, seconds)) * 1_000 });
    }
    legStartSeconds += seconds;
    before = after;
  }
  return arrivals;
}

/** The t with rate·t + slope·t²/2 = count, in the form that does not lose digits where the slope is small. */
function whenReached(count: number, rate: number, slope: number): number {
  return (2 * count) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * count)));
}

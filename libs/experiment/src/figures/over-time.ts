/** Counts along the time of a run, from instants that are given in milliseconds since its beginning. */
import { OUTCOMES, type Outcome } from '../load/outcomes';

export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** How many of the instants lie in the window that ends at each step: from `atMs - windowMs`, exclusive, to `atMs`, inclusive. */
export function slidingCounts(
  instantsMs: readonly number[],
  { windowMs, everyMs, untilMs }: { windowMs: number; everyMs: number; untilMs: number },
): readonly Point[] {
  const sorted = [...instantsMs].sort((a, b) => a - b);
  const points: Point[] = [];
  let from = 0;
  let to = 0;
  for (let step = 0; step * everyMs <= untilMs; step += 1) {
    const atMs = step * everyMs;
    while (to < sorted.length && sorted[to] <= atMs) to += 1;
    while (from < to && sorted[from] <= atMs - windowMs) from += 1;
    points.push({ atMs, value: to - from });
  }
  return points;
}

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

export interface OutcomeBucket {
  readonly fromMs: number;
  readonly counts: OutcomeCounts;
}

export function countOutcomes(requests: readonly { readonly outcome: Outcome }[]): OutcomeCounts {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of requests) counts[outcome] += 1;
  return counts;
}

/** By when the requests were due: a late answer belongs to the moment in which its client asked. */
export function outcomesOverTime(
  requests: readonly { readonly dueMs: number; readonly outcome: Outcome }[],
  bucketMs: number,
  durationMs: number,
): readonly OutcomeBucket[] {
  return Array.from({ length: Math.ceil(durationMs / bucketMs) }, (_, at) => {
    const fromMs = at * bucketMs;
    const due = requests.filter(({ dueMs }) => dueMs >= fromMs && dueMs < fromMs + bucketMs);
    return { fromMs, counts: countOutcomes(due) };
  });
}

export interface Stay {
  readonly fromMs: number;
  /** Absent: it never left. */
  readonly toMs?: number;
}

/** The highest value that held at some moment of each stretch of `everyMs`: a curve that changes often, thinned without losing its peaks. */
export function peaksOverTime(points: readonly Point[], everyMs: number): readonly Point[] {
  const lastMs = points.at(-1)?.atMs ?? 0;
  const peaks: Point[] = [];
  let value = 0;
  let next = 0;
  for (let atMs = 0; atMs <= lastMs; atMs += everyMs) {
    // What held at its beginning counts too, unless it changed in that very moment.
    let most = points[next]?.atMs === atMs ? 0 : value;
    for (; next < points.length && points[next].atMs < atMs + everyMs; next += 1) {
      value = points[next].value;
      most = Math.max(most, value);
    }
    peaks.push({ atMs, value: most });
  }
  peaks.push({ atMs: peaks.length * everyMs, value });
  return peaks;
}

/** How many were inside at each moment at which that changed, from nothing on. */
export function insideOverTime(stays: readonly Stay[]): readonly Point[] {
  const changes = stays
    .flatMap(({ fromMs, toMs }) => [{ atMs: fromMs, by: 1 }, ...(toMs === undefined ? [] : [{ atMs: toMs, by: -1 }])])
    .sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  const points: { atMs: number; value: number }[] = [{ atMs: 0, value: 0 }];
  let value = 0;
  for (const { atMs, by } of changes) {
    value += by;
    const last = points.at(-1) as { atMs: number; value: number };
    if (last.atMs === atMs) last.value = value;
    else points.push({ atMs, value });
  }
  return points;
}

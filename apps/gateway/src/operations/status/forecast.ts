/** How long until nothing is pending, from what the last minutes showed. */
import { BUCKET_MS, sumOf, type Bucket } from '../timeline';

export type Forecast =
  /** Nothing is pending. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'time'; readonly ms: number }
  /** More is queued than drained: no end in sight while that lasts. */
  | { readonly kind: 'growing' }
  /** Nothing was drained for a while. */
  | { readonly kind: 'stalled'; readonly forMs: number }
  /** Too little was seen. */
  | { readonly kind: 'unknown' };

/** Long enough to even out a drain that waits for its share of the quota, short enough to follow a change of the load. */
const LOOKED_AT_MS = 60_000;

/** What arrives is looked at over less: when a burst ends, the forecast follows. */
const ARRIVALS_MS = 10_000;

/** A drain that is alive settles something within this time, also where the quota makes it wait. */
const STALLED_FROM_MS = 30_000;

/** With less to go by a rate means nothing. */
const SEEN_MIN_MS = 2 * BUCKET_MS;

/** @param oldestAgeMs since the oldest pending write was accepted */
export function forecastDrain(
  buckets: readonly Bucket[],
  pending: { readonly writes: number; readonly oldestAgeMs?: number },
  nowMs: number,
): Forecast {
  if (pending.writes === 0) return { kind: 'nothing' };
  const recent = buckets.filter(({ startMs }) => startMs > nowMs - LOOKED_AT_MS);
  const drained = (bucket: Bucket): number => bucket.counters['applied.drain'] ?? 0;
  const first = recent.find((bucket) => drained(bucket) > 0);
  const last = [...recent].reverse().find((bucket) => drained(bucket) > 0);
  const idleMs = Math.min(pending.oldestAgeMs ?? 0, last === undefined ? Infinity : nowMs - last.startMs);
  if (idleMs >= STALLED_FROM_MS) return { kind: 'stalled', forMs: idleMs };
  if (first === undefined) return { kind: 'unknown' };
  const seenMs = nowMs - first.startMs;
  if (seenMs < SEEN_MIN_MS) return { kind: 'unknown' };
  const drainedPerMs = sumOf(recent, 'applied.drain', first.startMs) / seenMs;
  const queuedPerMs = sumOf(recent, 'writes.queued', nowMs - ARRIVALS_MS) / ARRIVALS_MS;
  const netPerMs = drainedPerMs - queuedPerMs;
  return netPerMs <= 0 ? { kind: 'growing' } : { kind: 'time', ms: pending.writes / netPerMs };
}

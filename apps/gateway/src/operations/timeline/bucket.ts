/**
 * The last ten minutes of the whole system, in buckets of two seconds.
 *
 * In Redis, one hash per bucket: `{<prefix>timeline}:<start of the bucket in ms>`, with one field per process that was alive in it,
 * whose value is that process's entry as JSON. A process writes only its own field, and always the whole of it: writing it again
 * after a lost answer changes nothing, and nobody waits for anybody. Who reads adds the entries up. All buckets share a slot of a
 * cluster, and each goes by itself after a quarter of an hour.
 *
 * Rejected: counters that all processes increment (a lost answer counts twice, or not at all), and a stream (reading ten minutes
 * means reading every entry ever added in them).
 */
import type { QuotaStatus, SingleQuotaStatus } from '@app/quota';

/** Fine enough for a chart of 600 pixels, coarse enough for 300 keys. */
export const BUCKET_MS = 2_000;
/** What the page shows. */
export const SHOWN_MS = 10 * 60_000;
/** Longer than what is shown, so that a reader never finds half of it gone. */
export const KEPT_MS = 15 * 60_000;

/** Name -> how often; the names are in `counters.ts`. */
export type Counters = Readonly<Record<string, number>>;

/** What is remembered of a quota's status, once per bucket. */
export type QuotaSample = Pick<
  SingleQuotaStatus,
  'quotaId' | 'consumed' | 'limit' | 'limitInForce' | 'foreignCalls' | 'mode' | 'closedForMs'
>;

/** What one process says of one bucket. */
export interface ProcessEntry {
  readonly role: string;
  readonly counters: Counters;
  /** Absent: Redis did not tell. */
  readonly quotas?: readonly QuotaSample[];
}

/** One bucket of the whole system. */
export interface Bucket {
  readonly startMs: number;
  /** Processes that were alive in it, by their name. */
  readonly processes: Readonly<Record<string, string>>;
  readonly counters: Counters;
  readonly quotas: readonly QuotaSample[];
}

export function bucketStart(atMs: number): number {
  return Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
}

export function bucketKey(prefix: string, startMs: number): string {
  return `{${prefix}timeline}:${startMs}`;
}

export function samplesOf(status: QuotaStatus): QuotaSample[] {
  return status.all.map(({ quotaId, consumed, limit, limitInForce, foreignCalls, mode, closedForMs }) => ({
    quotaId,
    consumed,
    limit,
    limitInForce,
    foreignCalls,
    mode,
    closedForMs,
  }));
}

export function mergeBucket(startMs: number, entries: Readonly<Record<string, ProcessEntry>>): Bucket {
  const counters: Record<string, number> = {};
  const processes: Record<string, string> = {};
  const quotas = new Map<string, QuotaSample>();
  for (const [name, entry] of Object.entries(entries)) {
    processes[name] = entry.role;
    for (const [counter, count] of Object.entries(entry.counters)) counters[counter] = (counters[counter] ?? 0) + count;
    // They all speak of one ledger, within the same two seconds: the highest count is the one that matters.
    for (const sample of entry.quotas ?? []) {
      const known = quotas.get(sample.quotaId);
      if (known === undefined || sample.consumed > known.consumed) quotas.set(sample.quotaId, sample);
    }
  }
  return { startMs, processes, counters, quotas: [...quotas.values()] };
}

/** The sum of a counter, or of all whose names begin with `name` where it ends with a dot, over buckets from `sinceMs` on. */
export function sumOf(buckets: readonly Bucket[], name: string, sinceMs = -Infinity): number {
  let sum = 0;
  for (const { startMs, counters } of buckets) {
    if (startMs < sinceMs) continue;
    if (!name.endsWith('.')) sum += counters[name] ?? 0;
    else for (const [counter, count] of Object.entries(counters)) if (counter.startsWith(name)) sum += count;
  }
  return sum;
}

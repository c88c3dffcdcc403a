/** Latencies as they are told: by what kind of answer it was. */
import type { AnsweredRequest } from '../load/open-load';
import type { Outcome } from '../load/outcomes';

/** The smallest value that `share` of all values do not exceed (nearest rank). NaN of nothing. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted.length === 0 ? NaN : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export interface Latencies {
  readonly source: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function latenciesOf(source: string, valuesMs: readonly number[]): Latencies {
  const sorted = [...valuesMs].sort((a, b) => a - b);
  const at = (share: number): number => quantile(sorted, share);
  return { source, count: sorted.length, p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) };
}

const SOURCES: readonly { source: string; kind: 'read' | 'write'; outcome: Outcome }[] = [
  { source: 'read, upstream', kind: 'read', outcome: 'upstream' },
  { source: 'read, view', kind: 'read', outcome: 'view' },
  { source: 'read, refused', kind: 'read', outcome: 'refused' },
  { source: 'read, missing', kind: 'read', outcome: 'missing' },
  { source: 'read, failed', kind: 'read', outcome: 'failed' },
  { source: 'write, upstream', kind: 'write', outcome: 'upstream' },
  { source: 'write, accepted', kind: 'write', outcome: 'accepted' },
  { source: 'write, refused', kind: 'write', outcome: 'refused' },
  { source: 'write, failed', kind: 'write', outcome: 'failed' },
];

/** From the moment at which a request was due to the end of its answer; sources that gave no answer are left out. */
export function latenciesBySource(requests: readonly AnsweredRequest[]): readonly Latencies[] {
  return SOURCES.map(({ source, kind, outcome }) => {
    const those = requests.filter((request) => request.kind === kind && request.outcome === outcome);
    return latenciesOf(
      source,
      those.map(({ dueMs, doneMs }) => doneMs - dueMs),
    );
  }).filter(({ count }) => count > 0);
}

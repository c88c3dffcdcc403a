/** The one word that the page opens with, and what it means: the worst thing that is true. */
import type { CallOutcome } from '@app/sheets-client';
import type { Forecast } from './forecast';
import type { UpstreamVerdict } from './upstream-verdict';

export type SituationName = 'direct' | 'degraded' | 'draining' | 'upstream-down' | 'redis-down';

export interface Situation {
  readonly name: SituationName;
  readonly headline: string;
  /** What it means for clients, and what happens next. */
  readonly meaning: string;
}

export interface Facts {
  /** `away`: it does not answer; `refusing`: it answers and takes no writes (full, read-only). */
  readonly redis: 'up' | 'away' | 'refusing';
  readonly upstream: UpstreamVerdict;
  /** Quotas in degraded mode. */
  readonly degradedQuotas: readonly string[];
  readonly pending: { readonly writes: number; readonly oldestAgeMs?: number };
  readonly forecast: Forecast;
  readonly nowMs: number;
}

/** Younger than this a pending write is a direct one on its way, and not a backlog. */
const BACKLOG_FROM_MS = 3_000;

const FAILURE_WORDS: Partial<Record<CallOutcome, string>> = {
  timeout: 'do not answer in time',
  network: 'do not reach it, or are cut off',
  'server-error': 'are answered with errors of its own (5xx)',
};

export function situationOf(facts: Facts): Situation {
  const { redis, upstream, degradedQuotas, pending } = facts;
  if (redis === 'away')
    return {
      name: 'redis-down',
      headline: 'Redis is down',
      meaning:
        'Reads are answered from the memory of each process, marked so. Writes are refused with 503. What this page shows is the last known state.',
    };
  if (redis === 'refusing')
    return {
      name: 'redis-down',
      headline: 'Redis takes no writes',
      meaning: 'It answers, but is full or read-only. Reads go on; writes are refused with 503.',
    };
  const queue = backlogWords(facts);
  if (upstream.down)
    return {
      name: 'upstream-down',
      headline: 'Upstream is down',
      meaning: `Calls to it ${FAILURE_WORDS[upstream.failure ?? 'network']}. Clients get 200 from snapshots and 202 for writes. ${queue}`,
    };
  if (degradedQuotas.length > 0)
    return {
      name: 'degraded',
      headline: 'Degraded',
      meaning: `Past the trigger of ${degradedQuotas.join(', ')}. Reads come from snapshots, writes are queued. ${queue}`,
    };
  if (pending.writes > 0 && (pending.oldestAgeMs ?? 0) >= BACKLOG_FROM_MS)
    return { name: 'draining', headline: 'Draining', meaning: `Requests go to the upstream again. ${queue}` };
  return {
    name: 'direct',
    headline: 'Direct',
    meaning: 'Below the trigger. Reads and writes go to the upstream, and nothing waits.',
  };
}

function backlogWords({ pending, forecast }: Facts): string {
  if (pending.writes === 0) return 'No write is pending.';
  const count = pending.writes === 1 ? '1 write is pending' : `${pending.writes} writes are pending`;
  switch (forecast.kind) {
    case 'time':
      return `${count}; drained in about ${roughly(forecast.ms)} at this rate.`;
    case 'growing':
      return `${count}; more arrive than are drained.`;
    case 'stalled':
      return `${count}; none was drained for ${roughly(forecast.forMs)}.`;
    default:
      return `${count}.`;
  }
}

/** A duration as people say it. */
export function roughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.round(minutes / 60)} h`;
}

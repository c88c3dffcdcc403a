/** What one stage comes to: all that the report says of it. Times are milliseconds since the beginning of the load. */
import { worstWindow } from '@app/proof';
import type { AnsweredRequest } from '../load/open-load';
import { isLost } from '../load/outcomes';
import type { Scale, StageName } from '../settings';
import type { StageRecord } from '../stage/run-stage';
import {
  countOutcomes,
  insideOverTime,
  outcomesOverTime,
  peaksOverTime,
  slidingCounts,
  type OutcomeBucket,
  type OutcomeCounts,
  type Point,
} from './over-time';
import { processPoints, usesByMode, type ModeUse, type ProcessPoint } from './process-figures';
import { latenciesBySource, quantile, type Latencies } from './quantiles';

export interface Share {
  readonly lost: number;
  readonly of: number;
}

export interface StageFigures {
  readonly stage: StageName;
  readonly outcomes: OutcomeCounts;
  readonly lost: { readonly all: Share; readonly reads: Share; readonly writes: Share };
  /** The commonest first. */
  readonly failures: readonly { readonly why: string; readonly count: number }[];
  readonly buckets: readonly OutcomeBucket[];
  readonly upstream: {
    readonly calls: number;
    readonly reads: number;
    readonly writes: number;
    readonly refused: number;
    /** The fullest window anywhere in the run, refused calls included: they arrived. */
    readonly worstWindow: number;
    readonly overTime: readonly Point[];
  };
  readonly latencies: readonly Latencies[];
  readonly process: {
    readonly unavailable?: string;
    readonly byMode: readonly ModeUse[];
    readonly overTime: readonly ProcessPoint[];
  };
  /** Absent where writes go straight through. */
  readonly backlog?: {
    readonly most: number;
    readonly overTime: readonly Point[];
    /** From the end of the load until nothing was pending; undefined: it was not reached. */
    readonly drainedAfterMs?: number;
    /** From the acceptance of a write until the spreadsheet had it. */
    readonly waitP50Ms: number;
    readonly waitMaxMs: number;
  };
  readonly kept: { acknowledged: number; once: number; lost: number; doubled: number; unacknowledged: number };
  /** How far the generator was behind its own schedule. */
  readonly lateness: { readonly p99Ms: number; readonly maxMs: number };
  /** Empty: what this stage promises was kept. */
  readonly problems: readonly string[];
}

const BUCKETS = 60;
const STEPS = 300;
const NAMED_MAX = 5;

export function figuresOf(record: StageRecord, durationMs: number, scale: Scale): StageFigures {
  const { stage, requests, calls, samples, kept } = record;
  const arrivedMs = calls.map(({ atMs }) => atMs);
  const late = requests.map(({ sentMs, dueMs }) => Math.max(0, sentMs - dueMs)).sort((a, b) => a - b);
  const figures = {
    stage,
    outcomes: countOutcomes(requests),
    lost: {
      all: lostOf(requests),
      reads: lostOf(requests.filter(({ kind }) => kind === 'read')),
      writes: lostOf(requests.filter(({ kind }) => kind === 'write')),
    },
    failures: failuresOf(requests),
    buckets: outcomesOverTime(requests, durationMs / BUCKETS, durationMs),
    upstream: {
      calls: calls.length,
      reads: calls.filter(({ kind }) => kind === 'read').length,
      writes: calls.filter(({ kind }) => kind === 'write').length,
      refused: calls.filter(({ status }) => status === 429).length,
      worstWindow: worstWindow(arrivedMs, scale.windowMs),
      overTime: slidingCounts(arrivedMs, { windowMs: scale.windowMs, everyMs: durationMs / STEPS, untilMs: durationMs }),
    },
    latencies: latenciesBySource(requests),
    process: {
      unavailable: record.samplesUnavailable,
      byMode: usesByMode(samples, requests),
      overTime: processPoints(samples, requests, durationMs / BUCKETS),
    },
    backlog: stage === 'full' ? backlogOf(record, durationMs) : undefined,
    kept: {
      acknowledged: kept.acknowledged,
      once: kept.once,
      lost: kept.lost.length,
      doubled: kept.doubled.length,
      unacknowledged: kept.unacknowledged,
    },
    lateness: { p99Ms: quantile(late, 0.99), maxMs: quantile(late, 1) },
  };
  return { ...figures, problems: problemsOf(figures, record, scale) };
}

function lostOf(requests: readonly AnsweredRequest[]): Share {
  return { lost: requests.filter(({ outcome }) => isLost(outcome)).length, of: requests.length };
}

/** Numbers and names that differ from answer to answer are left out, so that one cause is one line. */
function failuresOf(requests: readonly AnsweredRequest[]): StageFigures['failures'] {
  const counts = new Map<string, number>();
  for (const { why } of requests) {
    if (why === undefined) continue;
    const cause = why.replaceAll(/LOAD-\d+/g, 'LOAD-…');
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count);
}

function backlogOf({ receipts, startWallMs, drained }: StageRecord, durationMs: number): StageFigures['backlog'] {
  const since = (iso: string): number => Date.parse(iso) - startWallMs;
  const stays = receipts.map(({ acceptedAt, settledAt }) => ({
    fromMs: since(acceptedAt),
    toMs: settledAt === undefined ? undefined : since(settledAt),
  }));
  const settledMs = stays.map(({ toMs }) => toMs ?? 0);
  const waits = stays.flatMap(({ fromMs, toMs }) => (toMs === undefined ? [] : [toMs - fromMs])).sort((a, b) => a - b);
  const pending = insideOverTime(stays);
  return {
    most: Math.max(...pending.map(({ value }) => value)),
    overTime: peaksOverTime(pending, durationMs / STEPS),
    drainedAfterMs: drained ? Math.max(0, Math.max(0, ...settledMs) - durationMs) : undefined,
    waitP50Ms: quantile(waits, 0.5),
    waitMaxMs: quantile(waits, 1),
  };
}

/** Writes must be kept in every stage; that nothing is lost, and the limit held, is what `full` promises. */
function problemsOf(
  { stage, lost, failures, upstream }: Pick<StageFigures, 'stage' | 'lost' | 'failures' | 'upstream'>,
  { kept, drained, receipts }: StageRecord,
  { limit, windowMs }: Scale,
): string[] {
  const problems: string[] = [];
  const named = (keys: readonly string[]): string => keys.slice(0, NAMED_MAX).join(', ') + (keys.length > NAMED_MAX ? ', …' : '');
  if (lost.all.of === 0) problems.push('nothing was asked: nothing is shown');
  if (kept.lost.length > 0)
    problems.push(`${kept.lost.length} acknowledged writes are not in the spreadsheet: ${named(kept.lost)}`);
  if (kept.doubled.length > 0) problems.push(`${kept.doubled.length} rows stand there more than once: ${named(kept.doubled)}`);
  if (stage !== 'full') return problems;
  if (lost.all.lost > 0) problems.push(`${lost.all.lost} of ${lost.all.of} requests were lost: ${failures[0]?.why ?? '429'}`);
  if (upstream.refused > 0) problems.push(`the upstream refused ${upstream.refused} calls`);
  if (upstream.worstWindow > limit)
    problems.push(`${upstream.worstWindow} upstream calls within ${windowMs / 1_000} s, of ${limit}`);
  if (!drained) problems.push('writes were still pending long after the load');
  const setAside = receipts.filter(({ state }) => state === 'failed');
  if (setAside.length > 0) problems.push(`${setAside.length} accepted writes failed: ${setAside[0].reason?.code ?? 'no reason'}`);
  return problems;
}

/**
 * Whether the upstream is down, from what the calls of all processes came to.
 *
 * One failed call among good ones is no outage. Down is: three failures since the last answer, or one where the last answer is older
 * than a few seconds; until a call is answered again. With few calls, as while the gateway is degraded, the verdict stands until
 * then, however long ago the last call was.
 */
import { UNSENT_OUTCOMES, type CallOutcome } from '@app/sheets-client';
import type { Bucket } from '../timeline';

export interface UpstreamVerdict {
  readonly down: boolean;
  /** Start of the bucket with the first failure since the last answer. */
  readonly failingSinceMs?: number;
  /** The kind of failure that was seen most since then. */
  readonly failure?: CallOutcome;
  /** Start of the bucket with the last answer. Absent: none in the time shown. */
  readonly lastAnswerMs?: number;
}

const FAILURES: ReadonlySet<CallOutcome> = new Set(['server-error', 'timeout', 'network']);
const FAILURES_MIN = 3;
const ANSWER_AGE_MAX_MS = 6_000;

export function judgeUpstream(buckets: readonly Bucket[], nowMs: number): UpstreamVerdict {
  const failures = new Map<CallOutcome, number>();
  let failingSinceMs: number | undefined;
  let lastAnswerMs: number | undefined;
  for (let at = buckets.length - 1; at >= 0 && lastAnswerMs === undefined; at -= 1) {
    const { startMs, counters } = buckets[at];
    const seen = callsByOutcome(counters);
    const answered = [...seen].some(([outcome, count]) => count > 0 && !FAILURES.has(outcome) && !UNSENT_OUTCOMES.has(outcome));
    // Within one bucket nobody knows which came last: with an answer in it, its failures do not count.
    if (answered) lastAnswerMs = startMs;
    else {
      for (const [outcome, count] of seen) {
        if (!FAILURES.has(outcome) || count === 0) continue;
        failures.set(outcome, (failures.get(outcome) ?? 0) + count);
        failingSinceMs = startMs;
      }
    }
  }
  const total = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const down = total >= FAILURES_MIN || (total > 0 && nowMs - (lastAnswerMs ?? 0) > ANSWER_AGE_MAX_MS);
  const failure = [...failures].sort(([, a], [, b]) => b - a)[0]?.[0];
  return {
    down,
    ...(failingSinceMs === undefined ? {} : { failingSinceMs, failure }),
    ...(lastAnswerMs === undefined ? {} : { lastAnswerMs }),
  };
}

function callsByOutcome(counters: Bucket['counters']): Map<CallOutcome, number> {
  const seen = new Map<CallOutcome, number>();
  for (const [name, count] of Object.entries(counters)) {
    const outcome = /^calls\.\w+\.(.+)$/.exec(name)?.[1] as CallOutcome | undefined;
    if (outcome !== undefined) seen.set(outcome, (seen.get(outcome) ?? 0) + count);
  }
  return seen;
}

/** A stage's record as a run would have left it, for tests of what is made of it. */
import type { LoggedCall } from '@app/proof';
import type { AnsweredRequest } from '../load/open-load';
import type { Outcome } from '../load/outcomes';
import { scaleOf } from '../settings';
import type { StageRecord } from '../stage/run-stage';

export const DURATION_MS = 10_000;
/** 30 calls in 6 s. */
export const SCALE = scaleOf(0.1);

export function request(dueMs: number, outcome: Outcome, more: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return { kind: 'read', dueMs, sentMs: dueMs + 1, doneMs: dueMs + 101, outcome, ...more };
}

export function call(atMs: number, more: Partial<LoggedCall> = {}): LoggedCall {
  return { atMs, kind: 'read', status: 200, ...more };
}

/** Ten reads a second apart, each a call; nothing written. */
export function recordOf(more: Partial<StageRecord> = {}): StageRecord {
  const times = Array.from({ length: 10 }, (_, at) => at * 1_000);
  return {
    stage: 'full',
    requests: times.map((atMs) => request(atMs, 'upstream', { degraded: false })),
    calls: times.map((atMs) => call(atMs + 5)),
    samples: [0, 5_000, 10_000].map((atMs) => ({ atMs, cpuMs: atMs / 10, residentBytes: 100 * 2 ** 20 })),
    receipts: [],
    startWallMs: Date.parse('2026-01-01T00:00:00Z'),
    drained: true,
    kept: { acknowledged: 0, once: 0, lost: [], doubled: [], unacknowledged: 0 },
    ...more,
  };
}

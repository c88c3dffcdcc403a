import { compareKept } from '../stage/kept-writes';
import { call, DURATION_MS, recordOf, request, SCALE } from '../testing/records';
import type { StageRecord } from '../stage/run-stage';
import { figuresOf } from './stage-figures';

const problemsOf = (more: Partial<StageRecord>): readonly string[] => figuresOf(recordOf(more), DURATION_MS, SCALE).problems;

describe('a stage fails', () => {
  it('not, where everything was kept', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it('full: by one lost request', () => {
    const requests = [request(0, 'upstream'), request(1, 'failed', { why: 'list: 500' })];
    expect(problemsOf({ requests })).toEqual(['1 of 2 requests were lost: list: 500']);
    expect(problemsOf({ requests: [request(0, 'missing', { why: 'read-back: 404' })] })).toHaveLength(1);
    expect(problemsOf({ requests, stage: 'off' })).toEqual([]);
  });

  it('full: by one call too many in any window, or one that was refused', () => {
    const calls = Array.from({ length: 31 }, (_, at) => call(at * 100));
    expect(problemsOf({ calls: calls.slice(1) })).toEqual([]);
    expect(problemsOf({ calls })).toEqual(['31 upstream calls within 6 s, of 30']);
    expect(problemsOf({ calls: [call(0, { status: 429 })] })).toEqual(['the upstream refused 1 calls']);
    expect(problemsOf({ calls, stage: 'reads' })).toEqual([]);
  });

  it('any: by an acknowledged write that is not there, or a row that is there twice', () => {
    const kept = compareKept(
      ['LOAD-1', 'LOAD-2', 'LOAD-3'],
      ['id', 'ORD-1', 'ORD-1', 'LOAD-1', 'LOAD-1', 'LOAD-3', 'LOAD-4'],
      'LOAD',
    );
    expect(kept).toEqual({ acknowledged: 3, once: 1, lost: ['LOAD-2'], doubled: ['LOAD-1'], unacknowledged: 1 });
    for (const stage of ['off', 'count', 'reads', 'full'] as const) {
      expect(problemsOf({ stage, kept })).toEqual([
        '1 acknowledged writes are not in the spreadsheet: LOAD-2',
        '1 rows stand there more than once: LOAD-1',
      ]);
    }
  });

  it('full: by writes that stay pending, or were set aside', () => {
    expect(problemsOf({ drained: false })).toHaveLength(1);
    const failed = { id: '1', state: 'failed', keys: [], acceptedAt: '2026-01-01T00:00:01Z', reason: { code: 'row-gone' } };
    expect(problemsOf({ receipts: [failed] })).toEqual(['1 accepted writes failed: row-gone']);
  });

  it('where nothing was asked', () => {
    expect(problemsOf({ requests: [] })).toEqual(['nothing was asked: nothing is shown']);
  });
});

describe('the backlog', () => {
  const receipt = (acceptedAt: string, settledAt: string) => ({ id: '1', state: 'applied', keys: [], acceptedAt, settledAt });

  it('comes from the receipts, on the clock of the load', () => {
    const receipts = [
      receipt('2026-01-01T00:00:01Z', '2026-01-01T00:00:12Z'),
      receipt('2026-01-01T00:00:09Z', '2026-01-01T00:00:12Z'),
    ];
    const { backlog } = figuresOf(recordOf({ receipts }), DURATION_MS, SCALE);
    expect(backlog).toMatchObject({ most: 2, drainedAfterMs: 2_000, waitP50Ms: 3_000, waitMaxMs: 11_000 });
  });

  it('is nothing where everything was settled before the load ended, and unknown where it never was', () => {
    const receipts = [receipt('2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z')];
    expect(figuresOf(recordOf({ receipts }), DURATION_MS, SCALE).backlog?.drainedAfterMs).toBe(0);
    expect(figuresOf(recordOf({ receipts, drained: false }), DURATION_MS, SCALE).backlog?.drainedAfterMs).toBeUndefined();
    expect(figuresOf(recordOf({ stage: 'off' }), DURATION_MS, SCALE).backlog).toBeUndefined();
  });
});

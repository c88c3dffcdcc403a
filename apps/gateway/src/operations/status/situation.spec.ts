import type { Bucket } from '../timeline';
import { forecastDrain } from './forecast';
import { situationOf, type Facts } from './situation';
import { judgeUpstream } from './upstream-verdict';

const NOW = 1_800_000_000_000;
const bucket = (agoMs: number, counters: Bucket['counters']): Bucket => ({
  startMs: NOW - agoMs,
  counters,
  processes: {},
  quotas: [],
});
const OK = { 'calls.direct.ok': 1 };
const TIMEOUT = { 'calls.direct.timeout': 1 };

describe('whether the upstream is down', () => {
  const down = (...buckets: Bucket[]): boolean => judgeUpstream(buckets, NOW).down;

  it('is not so for one failure among answers, nor before anything was called', () => {
    expect(down()).toBe(false);
    expect(down(bucket(4_000, OK), bucket(2_000, TIMEOUT))).toBe(false);
    expect(down(bucket(4_000, { ...OK, 'calls.drain.network': 5 }))).toBe(false);
  });

  it('is so after three failures in a row, or one that no answer followed for seconds', () => {
    expect(down(bucket(4_000, OK), bucket(2_000, { 'calls.direct.server-error': 3 }))).toBe(true);
    expect(down(bucket(20_000, OK), bucket(10_000, TIMEOUT))).toBe(true);
    expect(judgeUpstream([bucket(20_000, OK), bucket(10_000, TIMEOUT), bucket(4_000, TIMEOUT)], NOW)).toEqual({
      down: true,
      failingSinceMs: NOW - 10_000,
      failure: 'timeout',
      lastAnswerMs: NOW - 20_000,
    });
  });

  it('stays so while nobody calls, and ends with an answer, whichever: a refusal is a sign of life', () => {
    expect(down(bucket(400_000, TIMEOUT), bucket(2_000, { 'calls.direct.refused-by-gate': 9 }))).toBe(true);
    expect(down(bucket(60_000, { 'calls.direct.timeout': 9 }), bucket(2_000, { 'calls.direct.rate-limited': 1 }))).toBe(false);
  });
});

describe('the forecast of the drain', () => {
  const pending = { writes: 100, oldestAgeMs: 10_000 };

  it('follows the rate at which the queue was drained, less what arrives', () => {
    const drained = [bucket(20_000, { 'applied.drain': 40 }), bucket(10_000, { 'applied.drain': 60 })];
    expect(forecastDrain(drained, pending, NOW)).toEqual({ kind: 'time', ms: 20_000 });
    expect(forecastDrain([...drained, bucket(4_000, { 'writes.queued': 25 })], pending, NOW)).toEqual({
      kind: 'time',
      ms: 40_000,
    });
    expect(forecastDrain([...drained, bucket(4_000, { 'writes.queued': 50 })], pending, NOW)).toEqual({ kind: 'growing' });
  });

  it('says so where nothing is pending, nothing is known, or nothing moves', () => {
    expect(forecastDrain([], { writes: 0 }, NOW)).toEqual({ kind: 'nothing' });
    expect(forecastDrain([], pending, NOW)).toEqual({ kind: 'unknown' });
    const stuck = { writes: 1, oldestAgeMs: 50_000 };
    expect(forecastDrain([bucket(40_000, { 'applied.drain': 5 })], stuck, NOW)).toEqual({ kind: 'stalled', forMs: 40_000 });
  });

  it('a queue that has only just begun to fill is not called stalled, however long it was empty', () => {
    expect(forecastDrain([], { writes: 3, oldestAgeMs: 1_000 }, NOW)).toEqual({ kind: 'unknown' });
  });
});

describe('the situation is the worst that is true', () => {
  const fine: Facts = {
    redis: 'up',
    upstream: { down: false },
    degradedQuotas: [],
    pending: { writes: 0 },
    forecast: { kind: 'nothing' },
    nowMs: NOW,
  };
  const backlog = { pending: { writes: 5, oldestAgeMs: 9_000 }, forecast: { kind: 'time', ms: 40_000 } } as const;
  it.each<[string, Partial<Facts>, RegExp]>([
    ['direct', {}, /go to the upstream/],
    ['direct', { pending: { writes: 1, oldestAgeMs: 100 } }, /go to the upstream/],
    ['draining', backlog, /5 writes are pending; drained in about 40 s/],
    ['degraded', { ...backlog, degradedQuotas: ['case-study'] }, /trigger of case-study.*snapshots.*5 writes/],
    ['upstream-down', { ...backlog, degradedQuotas: ['q'], upstream: { down: true, failure: 'timeout' } }, /in time.*200.*202/],
    ['redis-down', { ...backlog, upstream: { down: true }, redis: 'away' }, /memory.*503.*last known/],
    ['redis-down', { redis: 'refusing' }, /full or read-only/],
  ])('%s', (name, facts, meaning) => {
    const situation = situationOf({ ...fine, ...facts });
    expect(situation.name).toBe(name);
    expect(situation.meaning).toMatch(meaning);
  });
});

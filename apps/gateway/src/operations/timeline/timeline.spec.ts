import { randomBytes } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import type { QuotaLedger } from '@app/quota';
import { Telemetry } from '../telemetry';
import { bucketKey, bucketStart, BUCKET_MS, KEPT_MS, SHOWN_MS, sumOf } from './bucket';
import { TimelineReader } from './timeline-reader';
import { TimelineRecorder } from './timeline-recorder';

const T0 = bucketStart(1_800_000_000_000);

describe('the timeline', () => {
  let redis: RedisClient;
  let keyPrefix: string;
  const all = [{ quotaId: 'q', consumed: 7, limit: 10, limitInForce: 10, foreignCalls: 0, mode: 'direct', closedForMs: 0 }];
  const ledger = { status: async () => ({ all }) } as unknown as QuotaLedger;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => (keyPrefix = `test-timeline-${randomBytes(6).toString('hex')}-`));

  /** A process: what it is told, and what it writes. */
  function newProcess(of: RedisClient = redis): { telemetry: Telemetry; recorder: TimelineRecorder; reader: TimelineReader } {
    const telemetry = new Telemetry();
    const recorder = new TimelineRecorder(telemetry, ledger, of, { keyPrefix, role: 'all' });
    return { telemetry, recorder, reader: new TimelineReader(of, keyPrefix, recorder) };
  }
  const call = { lane: 'direct', access: 'read', method: 'GET', outcome: 'ok', durationMs: 1 } as const;

  it('shows what all processes did, each once, however often a process writes the same second', async () => {
    const [first, second] = [newProcess(), newProcess()];
    for (let count = 0; count < 3; count += 1) first.telemetry.upstreamCall(call);
    second.telemetry.upstreamCall(call);
    for (const atMs of [T0, T0 + 500, T0 + 999]) await Promise.all([first.recorder.tick(atMs), second.recorder.tick(atMs)]);
    first.telemetry.upstreamCall(call);
    await first.recorder.tick(T0 + BUCKET_MS);
    for (const { reader } of [first, second]) {
      await reader.refresh(T0 + BUCKET_MS);
      const buckets = reader.buckets(T0 + BUCKET_MS);
      expect(buckets.map(({ counters }) => counters['calls.direct.ok'])).toEqual([4, 1]);
      expect(Object.keys(buckets[0].processes)).toHaveLength(2);
      expect(buckets[0].quotas).toEqual(all);
    }
  });

  it('keeps what happens while Redis is away, shows it at once, and writes it when Redis is back', async () => {
    const away = connectRedis('redis://127.0.0.1:1', 'request');
    try {
      const { telemetry, recorder, reader } = newProcess(away);
      telemetry.upstreamCall(call);
      await recorder.tick(T0);
      expect(recorder.lastError).toBeDefined();
      expect(sumOf(reader.buckets(T0), 'calls.')).toBe(1);
      Object.assign(recorder, { redis });
      await recorder.tick(T0 + 20_000);
      const other = newProcess();
      await other.reader.refresh(T0 + 20_000);
      expect(other.reader.buckets(T0 + 20_000)[0]).toMatchObject({ startMs: T0, counters: { 'calls.direct.ok': 1 } });
    } finally {
      await closeRedis(away);
    }
  });

  it('is bounded: a bucket goes by itself, and a process that cannot write keeps ten minutes', async () => {
    const { recorder } = newProcess();
    await recorder.tick(T0);
    const livesMs = await redis.pttl(bucketKey(keyPrefix, T0));
    expect(livesMs).toBeGreaterThan(KEPT_MS - 60_000);
    expect(livesMs).toBeLessThanOrEqual(KEPT_MS);
    const away = connectRedis('redis://127.0.0.1:1', 'request');
    try {
      const lonely = newProcess(away).recorder;
      for (let atMs = T0; atMs < T0 + 2 * SHOWN_MS; atMs += BUCKET_MS) await lonely.tick(atMs);
      expect(lonely.unwritten().size).toBeLessThanOrEqual(SHOWN_MS / BUCKET_MS + 1);
    } finally {
      await closeRedis(away);
    }
  });

  it('counts answers to clients by data source, and leaves out probes, operators and unknown paths', async () => {
    const { telemetry, recorder, reader } = newProcess();
    const read = {
      route: '/r',
      method: 'GET',
      status: 200,
      degraded: false,
      source: 'upstream',
      audience: 'client',
      durationMs: 1,
    } as const;
    telemetry.httpAnswer(read);
    telemetry.httpAnswer({ ...read, source: 'memory' });
    telemetry.httpAnswer({ ...read, method: 'POST', source: 'none', status: 202 });
    telemetry.httpAnswer({ ...read, method: 'POST', source: 'none', status: 201 });
    telemetry.httpAnswer({ ...read, source: 'none', status: 503 });
    telemetry.httpAnswer({ ...read, audience: 'probe', status: 503 });
    telemetry.httpAnswer({ ...read, audience: 'operator' });
    telemetry.httpAnswer({ ...read, route: 'unmatched', status: 404 });
    await recorder.tick(T0);
    await reader.refresh(T0);
    expect(reader.buckets(T0)[0].counters).toEqual({
      'reads.upstream': 1,
      'reads.memory': 1,
      'writes.queued': 1,
      'writes.done': 1,
      'errors.server': 1,
    });
  });
});

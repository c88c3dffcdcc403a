import { randomUUID } from 'node:crypto';
import { startPrivateRedis, type PrivateRedis } from '@app/local-stack';
import { closeRedis, connectRedis, monotonicMs, waitFor, waitUntilReady, type RedisClient } from '@app/platform';
import { QuotaLedger } from './quota-ledger';

const READ = { access: 'read' } as const;

describe('While Redis', () => {
  let server: PrivateRedis;
  let redis: RedisClient;
  let ledger: QuotaLedger;

  beforeEach(async () => {
    server = await startPrivateRedis();
    redis = connectRedis(server.url, 'request');
    await waitUntilReady(redis, 5_000);
    ledger = new QuotaLedger({ redis, keyPrefix: `test:${randomUUID()}:`, quotas: 'case-study' });
  });
  afterEach(async () => {
    ledger.close();
    await closeRedis(redis);
    await server.stop();
  });

  it('[106] is cut off, every decision is a refusal within 100 ms, and the last status is still told', async () => {
    await ledger.reserve('direct', READ);
    await server.kill();
    await waitFor('the client to notice', () => redis.status !== 'ready');
    const beganAtMs = monotonicMs();
    const asked = await Promise.allSettled(Array.from({ length: 100 }, () => ledger.reserve('direct', READ)));
    expect(monotonicMs() - beganAtMs).toBeLessThan(100);
    for (const result of asked)
      expect(result).toMatchObject({ reason: { facts: { code: 'redis-unavailable', status: 503, retryAfterMs: 1_000 } } });
    expect(ledger.lastStatus()).toMatchObject({ consumed: 1 });
  });

  it('hangs, only the first question waits for it, and all is well again when it answers', async () => {
    await ledger.reserve('direct', READ);
    process.kill(server.pid, 'SIGSTOP');
    try {
      await expect(ledger.reserve('direct', READ)).rejects.toMatchObject({ facts: { code: 'redis-unavailable' } });
      const beganAtMs = monotonicMs();
      await expect(ledger.reserve('direct', READ)).rejects.toMatchObject({ facts: { code: 'redis-unavailable' } });
      expect(monotonicMs() - beganAtMs).toBeLessThan(100);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await waitFor('an answer', async () => (await ledger.reserve('direct', READ).catch(() => undefined))?.granted);
    // The question given up was carried out all the same; its place is given back.
    await waitFor('the place to be given back', async () => (await ledger.status(0)).consumed === 2);
  });

  it('restarts with its append-only file, no count is lost', async () => {
    const directory = server.directory;
    for (let call = 0; call < 5; call += 1) await ledger.reserve('direct', READ);
    await server.kill();
    await waitFor('the client to notice', () => redis.status !== 'ready');
    const again = await startPrivateRedis({ directory, port: server.port });
    try {
      await waitUntilReady(redis, 10_000);
      expect((await ledger.status(0)).consumed).toBe(5);
    } finally {
      await again.stop();
    }
  });

  it('comes back having lost its memory, the calls in flight are counted before anything is granted', async () => {
    const calls = await Promise.all(Array.from({ length: 150 }, () => ledger.reserve('direct', READ)));
    expect(calls.every((call) => call.granted)).toBe(true);
    await redis.flushall();
    const other = connectRedis(server.url, 'request');
    await waitUntilReady(other, 5_000);
    const back = new Promise((resolve) => redis.once('ready', resolve));
    await other.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await back;
    expect((await ledger.reserve('direct', READ)).granted).toBe(false);
    expect((await ledger.status(0)).consumed).toBe(150);
    await closeRedis(other);
  });
});

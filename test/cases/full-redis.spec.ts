import { startPrivateRedis, type PrivateRedis } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Redis } from 'ioredis';
import { type Answer, type Client } from '../support/client';
import { startQueuedStack, type QueuedStack } from './support/queued-stack';
import { addTabs, cellsOf, rowsPath } from './support/tabs';

const MAX_BYTES = 24 * 1024 * 1024;
const COLUMNS = ['p', 'q', 'r', 's', 't'];

describe('a Redis that fills up (case 116)', () => {
  let redis: PrivateRedis;
  let admin: Redis;
  let queued: QueuedStack;
  let client: Client;
  const path = rowsPath('wide');

  beforeAll(async () => {
    redis = await startPrivateRedis({ appendfsync: 'everysec', extra: ['--maxmemory', String(MAX_BYTES)] });
    admin = new Redis(redis.url);
    queued = await startQueuedStack({
      redis,
      prepare: async (upstream) => void (await addTabs(upstream, { wide: [['id', 'n', ...COLUMNS], ['a', 0]] })), // prettier-ignore
      firstLooks: () => [rowsPath('wide')],
    });
    client = queued.client;
  }, 90_000);
  afterAll(async () => {
    await queued?.stop();
    admin?.disconnect();
    await redis?.stop();
  });

  async function usedShare(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1]) / MAX_BYTES;
  }

  /** Patches with 200,000 characters each until one is refused. */
  async function fill(): Promise<{ acknowledged: Answer[]; refused: Answer }> {
    const acknowledged: Answer[] = [];
    const text = Object.fromEntries(COLUMNS.map((name) => [name, 'x'.repeat(40_000)]));
    for (let n = 0; ; n += 1) {
      const answer = await client.patch(`${path}/a`, { ...text, n });
      if (answer.status !== 202) return { acknowledged, refused: answer };
      acknowledged.push(answer);
    }
  }

  async function expectRoomAgain(): Promise<void> {
    await waitFor('room for writes', async () => (await client.patch(`${path}/a`, { n: -1 })).status === 202, {
      timeoutMs: 40_000,
      everyMs: 200,
    });
  }

  it('stops accepting at 80 % with 503 and Retry-After; what was acknowledged is drained, and that makes room again', async () => {
    await queued.hold();
    const { acknowledged, refused } = await fill();
    expect([refused.status, refused.body.code]).toEqual([503, 'redis-memory']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The buffers of the refused request itself counted too.
    expect(await usedShare()).toBeGreaterThan(0.7);
    expect(await usedShare()).toBeLessThan(1);
    // Reads go on, with every acknowledged write in them.
    const last = acknowledged.length - 1;
    expect((await client.get(`${path}/a`)).body.n).toBe(last);

    await queued.letGo();
    expect(await Promise.all(acknowledged.map((answer) => queued.stateOf(answer)))).toEqual(acknowledged.map(() => 'applied'));
    expect((await cellsOf(queued.upstream, 'wide'))[1][1]).toBe(last);
    await expectRoomAgain();
    await queued.settled();
  }, 120_000);

  it('keeps no more of the events of finished jobs than a thousand, and of finished jobs a bounded number', async () => {
    const queue = '{sgwqueue}:writes';
    expect(await admin.hget(`${queue}:meta`, 'opts.maxLenEvents')).toBe('1000');
    const job = await admin.hget(`${queue}:${(await admin.zrange(`${queue}:completed`, '0', '0'))[0]}`, 'opts');
    expect(JSON.parse(job as string)).toMatchObject({
      removeOnComplete: { age: 86_400, count: 5_000 },
      removeOnFail: { age: 604_800, count: 5_000 },
    });
  });

  it('is drained even where it is so full that the queue cannot take a job any more', async () => {
    await queued.hold();
    const { acknowledged } = await fill();
    // Their jobs are lost, and there is no room for new ones.
    const jobs = [...(await admin.keys('{sgwqueue}:writes:*-*-*')), '{sgwqueue}:writes:wait', '{sgwqueue}:writes:marker'];
    await admin.del(...jobs);
    await admin.config('SET', 'maxmemory', Math.floor(0.97 * (await usedShare()) * MAX_BYTES));
    await expect(admin.set('one-more', 'x')).rejects.toThrow('OOM');
    await queued.letGo();
    expect(await Promise.all(acknowledged.map((answer) => queued.stateOf(answer)))).toEqual(acknowledged.map(() => 'applied'));
    expect((await cellsOf(queued.upstream, 'wide'))[1][1]).toBe(acknowledged.length - 1);
    await admin.config('SET', 'maxmemory', MAX_BYTES);
    await expectRoomAgain();
  }, 120_000);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { LogOverview } from './log-overview';
import { WriteLog } from './write-log';

const PREFIX = `test-overview-${randomBytes(6).toString('hex')}-`;

describe('the overview of all logs', () => {
  let redis: RedisClient;
  let log: WriteLog;
  let overview: LogOverview;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
    log = new WriteLog(redis, PREFIX);
    overview = new LogOverview(redis, PREFIX);
  });
  afterAll(() => closeRedis(redis));

  async function accept(spreadsheetId: string, key: string): Promise<number> {
    const operation = { kind: 'patch', key, set: {} } as const;
    const result = await log.accept(spreadsheetId, { sheetId: 0, sheetTitle: 'orders', operation });
    if (result.kind !== 'accepted') throw new Error(`not accepted: ${result.kind}`);
    return result.number;
  }

  it('counts what is pending, without what was set aside, and tells the age of the oldest that still is', async () => {
    const [many, few, none] = [randomUUID(), randomUUID(), randomUUID()];
    for (let write = 0; write < 4; write += 1) await accept(many, `k${write}`);
    await accept(few, 'k');
    await log.settleUnsent(log.keysOf(none), await accept(none, 'k'), []);
    await redis.hset(log.keysOf(many).receipt(2), 'acceptedAtMs', Date.now() - 5_000);
    await redis.hset(log.keysOf(many).receipt(1), 'acceptedAtMs', Date.now() - 60_000);
    await log.setAside(log.keysOf(many), 'failed', [{ number: 1, code: 'row-gone', message: 'm' }]);

    const backlog = await overview.backlog();
    expect(backlog.map(({ spreadsheetId, pendingWrites }) => [spreadsheetId, pendingWrites])).toEqual([
      [many, 3],
      [few, 1],
    ]);
    expect(backlog[0].oldestAgeMs).toBeGreaterThanOrEqual(5_000);
    expect(backlog[0].oldestAgeMs).toBeLessThan(60_000);
  });

  it('lists the failed writes of all spreadsheets, the latest first, until they are released', async () => {
    const spreadsheets = [randomUUID(), randomUUID(), randomUUID()];
    const before = await overview.failures(0);
    for (const id of spreadsheets) {
      await accept(id, 'k');
      await log.setAside(log.keysOf(id), 'failed', [{ number: 1, code: 'row-gone', message: 'm' }]);
      await redis.zincrby(`{${PREFIX}failures}`, spreadsheets.indexOf(id), `${log.keysOf(id).tag}:1`);
    }
    const listed = await overview.failures(2);
    expect(listed.total - before.total).toBe(3);
    expect(listed.latest.map(({ spreadsheetId, reason }) => [spreadsheetId, reason?.code])).toEqual([
      [spreadsheets[2], 'row-gone'],
      [spreadsheets[1], 'row-gone'],
    ]);
    await log.release(listed.latest[0]);
    expect((await overview.failures(0)).total - before.total).toBe(2);
    expect((await overview.failures(1)).latest.map(({ spreadsheetId }) => spreadsheetId)).toEqual([spreadsheets[1]]);
  });
});

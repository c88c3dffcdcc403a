import { randomBytes, randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitFor, waitUntilReady, type RedisClient } from '@app/platform';
import { WriteLog } from '@app/write-log';
import { SnapshotRegister } from './snapshot-register';
import { ViewStore } from './view-store';

const PREFIX = `test-register-${randomBytes(6).toString('hex')}-`;

describe('the register of snapshots', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  it('names every sheet that has a snapshot, with its age and what is pending, the stalest first, and no cell', async () => {
    const log = new WriteLog(redis, PREFIX);
    const register = new SnapshotRegister(redis, PREFIX);
    const store = new ViewStore(redis, 'id', register);
    const spreadsheetId = randomUUID();
    const keys = log.keysOf(spreadsheetId);
    const cells = [
      ['id', 'item'],
      ['secret-key', 'secret-cell'],
    ];
    for (const [sheetId, title, sinceMs] of [
      [1, 'orders', 500],
      [2, 'customers', 90_000],
    ] as const) {
      const content = { sheetId, title, index: sheetId, rowCount: 10, columnCount: 2, cells };
      await store.store(keys, content, { through: 0, epoch: '' }, sinceMs);
    }
    const operation = { kind: 'patch', key: 'secret-key', set: { item: 'x' } } as const;
    await log.accept(spreadsheetId, { sheetId: 1, sheetTitle: 'orders', operation });
    const listed = await waitFor('both in the register', async () => {
      const answer = await register.list(10);
      return answer.snapshots.length === 2 && answer;
    });
    expect(listed.snapshots.map(({ title, pendingWrites }) => [title, pendingWrites])).toEqual([
      ['customers', 0],
      ['orders', 1],
    ]);
    expect(listed.snapshots[0]).toMatchObject({ spreadsheetId, sheetId: 2 });
    expect(listed.snapshots[0].ageMs).toBeGreaterThanOrEqual(90_000);
    expect(JSON.stringify(listed)).not.toContain('secret');
    expect((await register.list(1)).total).toBe(2);
  });
});

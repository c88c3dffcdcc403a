import { randomBytes } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { WriteLog } from '@app/write-log';
import { TabDirectory } from './tab-directory';

describe('the tab directory', () => {
  const url = process.env.TEST_REDIS_URL as string;
  const [asking, storing] = [connectRedis(url, 'request'), connectRedis(url, 'request')];
  const tabs = [
    { sheetId: 0, title: 'orders', index: 0, rowCount: 1_000, columnCount: 26 },
    { sheetId: 7, title: 'customers', index: 1, rowCount: 1_000, columnCount: 26 },
  ];

  beforeAll(() => Promise.all([asking, storing].map((redis) => waitUntilReady(redis, 5_000))));
  afterAll(() => Promise.all([asking, storing].map((redis) => closeRedis(redis))));

  it('never calls an empty list complete while another process stores one: a tab that exists would be a 404', async () => {
    const keys = new WriteLog(asking, `test-tabs-${randomBytes(6).toString('hex')}-`).keysOf('spreadsheet');
    let stored: Promise<void> | undefined;
    // Another process stores the list when the first question is answered and the second not yet asked.
    const between = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (stored !== undefined) return await stored.then(ask);
      const answer = ask();
      stored = answer.then(() => new TabDirectory(storing).replace(keys, tabs));
      return await answer;
    };
    const interrupted = Object.assign(Object.create(asking) as RedisClient, {
      exists: (key: string) => between(() => asking.exists(key)),
      hvals: (key: string) => between(() => asking.hvals(key)),
    });
    const known = await new TabDirectory(interrupted).known(keys);
    expect(known.complete && known.tabs.length === 0).toBe(false);
    const listed = tabs.map(({ sheetId, title, index }) => ({ sheetId, title, index }));
    expect(await new TabDirectory(asking).known(keys)).toEqual({ tabs: listed, complete: true });
  });
});

import { createServer } from 'node:net';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { expectGone, LaunchBench, pidsOf } from './launched';

/** Two starts of everything on two cores that run other tests as well. */
const TIMEOUT_MS = 120_000;

const COMMAND = [process.execPath, join(REPOSITORY_ROOT, 'tools/start.mjs')];
/** The same without the look at the dependencies, the build and a developer's `.env`. */
const BUILT = [process.execPath, join(REPOSITORY_ROOT, 'dist/libs/local-stack/src/main.js')];

describe('npm start', () => {
  let bench: LaunchBench;
  beforeEach(async () => {
    bench = new LaunchBench();
    await bench.open();
  });
  afterEach(async () => await bench.close());

  const post = async (gateway: string, row: object): Promise<number> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(row) };
    return (await fetch(`${gateway}/sheets/orders/rows`, init)).status;
  };
  const arrivedIn = async (mock: string): Promise<string[]> => {
    const answer = await fetch(`${mock}/v4/spreadsheets/mock-spreadsheet/values/orders!A:A`);
    const { values } = (await answer.json()) as { values: string[][] };
    return values.flatMap(([id]) => (id?.startsWith('ORD-restart-') ? id : []));
  };

  it(
    'gives one sentence that names PORT when the port is in use',
    async () => {
      const taken = createServer();
      await new Promise<void>((listening) => taken.listen(bench.ports.gateway, '127.0.0.1', listening));
      const { code, errors } = await bench.start(COMMAND).ended;
      await new Promise((closed) => taken.close(closed));
      expect(errors).toMatch(/^Port \d+ is in use: [^\n]* set PORT to another port [^\n]*\n$/);
      expect(code).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'runs everything at the places it prints, and ends all of it on SIGTERM',
    async () => {
      const launched = bench.start(BUILT);
      const places = await launched.places();
      const { gateway, mock } = places;
      const urls = [`${gateway.url}/sheets/orders/rows?limit=2`, `${gateway.url}/health/ready`, `${mock.url}/control/calls`];
      for (const path of ['/docs', '/queues']) {
        expect(launched.out()).toContain(gateway.url + path);
        urls.push(gateway.url + path);
      }
      for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);

      launched.signal('SIGTERM');
      expect(await launched.ended).toMatchObject({ code: 0, errors: '' });
      await expectGone(pidsOf(places));
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what the mock holds and what was accepted but not sent: after Ctrl-C and another start, the rest arrives',
    async () => {
      // A quota of few calls, and a drain too slow to be done before the end.
      const settings = { QUOTA_LIMIT: '10', QUOTA_WINDOW_MS: '5000', DRAIN_PACE_MS: '3000', MOCK_QUOTA: 'off' };
      const first = bench.start(BUILT, settings);
      const { gateway, mock: mockBefore } = await first.places();
      const isDegraded = async (): Promise<boolean> =>
        (await fetch(`${gateway.url}/sheets/orders/rows?limit=1`)).headers.get('X-System-Degraded') === 'true';
      await waitFor('degraded mode, in which writes are queued', isDegraded);
      const ids = Array.from({ length: 40 }, (_, n) => `ORD-restart-${n}`);
      const statuses = await Promise.all(ids.map(async (id) => await post(gateway.url, { id, item: 'Desk lamp' })));
      expect(statuses).toEqual(ids.map(() => 202));
      expect((await arrivedIn(mockBefore.url)).length).toBeLessThan(ids.length);
      first.signal('SIGINT');
      expect(await first.ended).toMatchObject({ code: 0, errors: '' });

      const { mock } = await bench.start(BUILT, settings).places();
      await waitFor('the rest', async () => (await arrivedIn(mock.url)).length >= ids.length, {
        timeoutMs: 60_000,
        everyMs: 250,
      });
      expect((await arrivedIn(mock.url)).sort()).toEqual([...ids].sort());
    },
    TIMEOUT_MS,
  );
});

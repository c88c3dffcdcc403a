import { freePort, startApp, startPrivateRedis, type App, type PrivateRedis } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

/** How many one-row writes wait for the drain. `BACKLOG_WRITES=10000 npm test test/queue` runs the figure of the documents. */
const WRITES = Number(process.env.BACKLOG_WRITES ?? 1_500);

/** Writes sent at once. */
const TOGETHER = 20;

describe('a backlog, accepted while no drain ran', () => {
  let redis: PrivateRedis;
  let mock: App;
  const gateways: App[] = [];

  beforeAll(async () => {
    redis = await startPrivateRedis();
    mock = await startApp({ name: 'sheets-mock', env: { MOCK_LATENCY_MS: '100', MOCK_LATENCY_JITTER_MS: '20' } });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await mock?.stop();
    await redis?.stop();
  });

  async function start(env: Record<string, string>): Promise<Client> {
    const common = { REDIS_URL: redis.url, UPSTREAM_BASE_URL: mock.baseUrl, PORT: String(await freePort()) };
    const gateway = await startApp({ name: 'gateway', env: { ...common, ...env } });
    gateways.push(gateway);
    return new Client(gateway.baseUrl);
  }

  it('is persisted in a handful of calls, in order; the one bad write among them fails with its reason, and only it', async () => {
    const upstream = new Upstream(mock.baseUrl);
    // So small a quota that the window is used up by a few reads: every write is queued.
    const api = await start({ ROLE: 'api', QUOTA_LIMIT: '10', QUOTA_WINDOW_MS: '600000' });
    for (let count = 0; count < 6; count += 1) await api.get('/sheets/orders/rows');
    await upstream.faults({ rules: [{ fault: 'refuse-text', text: 'poison' }] });

    const ids: string[] = [];
    const poisoned = Math.floor(WRITES / 2);
    for (let from = 0; from < WRITES; from += TOGETHER) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(TOGETHER, WRITES - from) }, (_, at) =>
          api.post('/sheets/orders/rows', {
            id: `b-${from + at}`,
            item: from + at === poisoned ? 'poison' : 'fine',
            quantity: from + at,
          }),
        ),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(202);
        ids.push(answer.body.id as string);
      }
    }
    expect((await upstream.calls()).filter((call) => call.kind === 'write')).toEqual([]);

    const before = (await upstream.calls()).length;
    const began = performance.now();
    const drain = await start({ ROLE: 'drain' });
    expect((await drain.get('/sheets/orders/rows')).status).toBe(404);
    await waitFor(
      'nothing to be pending',
      async () => (await api.get('/writes?state=accepted,sending,unknown&limit=1')).body.writes.length === 0,
      {
        timeoutMs: 90_000,
        everyMs: 200,
      },
    );
    const tookS = (performance.now() - began) / 1_000;
    const calls = (await upstream.calls()).slice(before);
    process.stdout.write(
      `${WRITES} writes persisted ${tookS.toFixed(1)} s after the drain was started, by ${calls.length} upstream calls\n`,
    );
    expect(calls.length).toBeLessThanOrEqual(16);

    const rows = (await upstream.values('orders!A102:D20000')).map(([id]) => Number(String(id).slice('b-'.length)));
    // Those that were sent together may stand in any order among themselves.
    const waves = rows.map((row) => Math.floor(row / TOGETHER));
    expect(waves).toEqual([...waves].sort((a, b) => a - b));
    expect([...rows].sort((a, b) => a - b)).toEqual(
      Array.from({ length: WRITES }, (_, at) => at).filter((at) => at !== poisoned),
    );
    const failed = await api.get('/writes?state=failed');
    expect(failed.body.writes).toHaveLength(1);
    expect(failed.body.writes[0]).toMatchObject({ id: ids[poisoned], reason: { code: 'rejected-by-upstream' } });
    for (const id of [ids[0], ids[poisoned - 1], ids[poisoned + 1], ids[WRITES - 1]]) {
      expect((await api.get(`/writes/${id}`)).body.state).toBe('applied');
    }
  }, 180_000);
});

import { freePort, startApp, startPrivateRedis, type App, type PrivateRedis } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

describe('a gateway that is killed while writes are pending loses none and doubles none', () => {
  let redis: PrivateRedis;
  let mock: App;
  let gateway: App | undefined;
  let upstream: Upstream;

  beforeAll(async () => {
    redis = await startPrivateRedis();
    mock = await startApp({
      name: 'sheets-mock',
      env: { MOCK_LATENCY_MS: '50', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
    });
    upstream = new Upstream(mock.baseUrl);
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    await mock?.stop();
    await redis?.stop();
  });

  async function startGateway(): Promise<Client> {
    // A small quota, so that the gateway is degraded and writes wait in the queue.
    const env = {
      REDIS_URL: redis.url,
      UPSTREAM_BASE_URL: mock.baseUrl,
      QUOTA_LIMIT: '60',
      QUOTA_WINDOW_MS: '10000',
      PORT: String(await freePort()),
    };
    gateway = await startApp({ name: 'gateway', env });
    return new Client(gateway.baseUrl);
  }

  it('SIGKILL in the middle of a drain, then a new process', async () => {
    let client = await startGateway();
    for (let count = 0; count < 35; count += 1) await client.get('/sheets/orders/rows');
    const ids: string[] = [];
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const id = `r${round}-${at}`;
          ids.push(id);
          const answer = await client.post('/sheets/orders/rows', { id, quantity: at }).catch(() => undefined);
          if (answer?.status === 201 || answer?.status === 202) acknowledged.push(id);
        }),
      );
      // In the middle of whatever the drain is doing now.
      await waitFor(
        'a write call to be on its way or done',
        async () => (await upstream.calls()).some((call) => call.kind === 'write'),
        { everyMs: 5 },
      );
      await gateway?.kill();
      client = await startGateway();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(110);
    const found = async (): Promise<string[]> => (await upstream.values('orders!A102:A1000')).map(([id]) => String(id));
    await waitFor(
      'every acknowledged row to be in the spreadsheet',
      async () => {
        const there = new Set(await found());
        return acknowledged.every((id) => there.has(id));
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
    const rows = await found();
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.every((id) => ids.includes(id))).toBe(true);
  }, 120_000);
});

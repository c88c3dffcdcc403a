import { freePort, startApp, startPrivateRedis, type App, type PrivateRedis } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client } from '../support/client';

const KEY = 'a-key-of-sixteen-or-more';
const BASIC = { Authorization: `Basic ${Buffer.from('op:secret-of-op').toString('base64')}` };

describe('who may come in, and what probes learn', () => {
  let redis: PrivateRedis;
  let mock: App;
  let gateway: App;
  let client: Client;

  beforeAll(async () => {
    redis = await startPrivateRedis();
    mock = await startApp({ name: 'sheets-mock', env: { MOCK_LATENCY_MS: '1' } });
    gateway = await startApp({
      name: 'gateway',
      env: {
        REDIS_URL: redis.url,
        UPSTREAM_BASE_URL: mock.baseUrl,
        PORT: String(await freePort()),
        API_KEYS: KEY,
        OPERATOR_USER: 'op',
        OPERATOR_PASSWORD: 'secret-of-op',
      },
    });
    client = new Client(gateway.baseUrl);
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    await mock?.stop();
    await redis?.stop();
  });

  it('a client needs a key, in either header', async () => {
    expect((await client.get('/sheets/orders/rows')).body.code).toBe('api-key-required');
    expect((await client.get('/sheets/orders/rows', { 'X-API-Key': 'wrong-key-of-sixteen' })).status).toBe(401);
    expect((await client.get('/sheets/orders/rows', { 'X-API-Key': KEY })).status).toBe(200);
    expect((await client.get('/sheets/orders/rows', { Authorization: `Bearer ${KEY}` })).status).toBe(200);
  });

  it.each([
    '/queues',
    '/queues/api/queues',
    '/queues/api/queues/',
    '/%71ueues/api/queues',
    '/docs',
    '/docs-json',
    '/docs-yaml',
    '/metrics',
  ])('%s is for operators, page and API alike', async (path) => {
    expect((await client.get(path)).status).toBe(401);
    expect((await client.get(path, { 'X-API-Key': KEY })).status).toBe(401);
    expect((await client.get(path, BASIC)).status).not.toBe(401);
  });

  it('nobody unknown can pause the queue', async () => {
    expect((await client.put('/queues/api/queues/pause', {})).status).toBe(401);
  });

  it('probes carry no credentials', async () => {
    expect((await client.get('/health/live')).body).toEqual({ status: 'ok' });
    expect((await client.get('/health/ready')).body.status).toBe('ok');
  });

  it('the OpenAPI document describes rows and writes', async () => {
    const { paths } = (await client.get('/docs-json', BASIC)).body as { paths: Record<string, unknown> };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/sheets/{sheet}/rows', '/sheets/{sheet}/rows/{key}', '/writes/{id}']),
    );
  });

  it('a host other than loopback is refused as long as there is no key', async () => {
    await expect(
      startApp({ name: 'gateway', env: { REDIS_URL: redis.url, HOST: '0.0.0.0', PORT: String(await freePort()) } }),
    ).rejects.toThrow(/HOST: found "0\.0\.0\.0", expected a loopback address/);
  });

  it('Redis away: live stays green, ready turns red, reads come from memory, writes are 503; all recover by themselves', async () => {
    const keyed = new Client(gateway.baseUrl, { 'X-API-Key': KEY });
    await keyed.get('/sheets/orders/rows');
    process.kill(redis.pid, 'SIGSTOP');
    try {
      await waitFor('ready to turn red', async () => (await keyed.get('/health/ready')).status === 503, { timeoutMs: 10_000 });
      expect((await keyed.get('/health/live')).status).toBe(200);
      const metrics = await client.get('/metrics', BASIC);
      expect(metrics.status).toBe(200);
      expect(metrics.body).toMatch(/^gateway_redis_up 0$/m);
      expect(metrics.body).not.toMatch(/^gateway_(pending_writes|quota_consumed_calls)/m);
      const read = await keyed.get('/sheets/orders/rows');
      expect([read.status, read.headers.get('x-degraded-reason')]).toEqual([200, 'redis-unavailable']);
      const write = await keyed.post('/sheets/orders/rows', { item: 'x' });
      expect([write.status, write.body.code, write.headers.get('retry-after')]).toEqual([503, 'redis-unavailable', '1']);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await waitFor('ready to turn green', async () => (await keyed.get('/health/ready')).status === 200, { timeoutMs: 15_000 });
    expect((await keyed.post('/sheets/orders/rows', { item: 'y' })).status).toBe(201);
  }, 60_000);
});

import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

/** One line of the text format -> its value; labels in any order. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (each) =>
        new RegExp(`^${name}[{ ]`).test(each) &&
        Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

describe('/metrics says what the gateway does', () => {
  let stack: Stack;
  let client: Client;
  const metrics = async (): Promise<string> => (await client.get('/metrics')).body as string;

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1' },
      gatewayEnv: { QUOTA_LIMIT: '10', QUOTA_MIN_DEGRADED_MS: '60000' },
    });
    client = new Client(stack.gateways[0].baseUrl);
  }, 60_000);
  afterAll(() => stack?.stop());

  it('counts calls as the upstream counts them, from direct to degraded, and shows the quota and its mode', async () => {
    for (let n = 0; n < 8; n += 1) expect((await client.get('/sheets/orders/rows?limit=1')).status).toBe(200);
    const calls = await new Upstream(stack.mock.baseUrl).calls();
    let text = '';
    await waitFor('the mode in a scrape', async () => valueOf((text = await metrics()), 'gateway_degraded') === 1, {
      timeoutMs: 10_000,
    });
    const sent = text
      .split('\n')
      .filter((line) => line.startsWith('gateway_upstream_calls_total') && !/refused-by-gate|not-sent/.test(line))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    expect(sent).toBe(calls.length);
    expect(valueOf(text, 'gateway_quota_consumed_calls')).toBe(calls.length);
    expect(valueOf(text, 'gateway_quota_limit_calls')).toBe(10);
    expect(valueOf(text, 'gateway_quota_trigger_calls')).toBe(5);
    const route = { route: '/sheets/:sheet/rows', status_class: '2xx' };
    const direct = valueOf(text, 'gateway_requests_total', { ...route, mode: 'direct', source: 'upstream' });
    const degraded = valueOf(text, 'gateway_requests_total', { ...route, mode: 'degraded', source: 'snapshot' });
    expect((direct ?? 0) + (degraded ?? 0)).toBe(8);
    expect(degraded).toBeGreaterThan(0);
    expect(valueOf(text, 'gateway_near_cache_bytes')).toBeGreaterThan(1_000);
    expect(valueOf(text, 'gateway_redis_up')).toBe(1);
    expect(text).not.toContain('orders');
  });

  it('counts the batch, the turn and the time of a write that the drain carries out', async () => {
    const post = await client.post('/sheets/orders/rows', { id: 'M-1', item: 'x' });
    expect(post.status).toBe(202);
    await client.get(`${post.headers.get('location')}?wait=20s`);
    await waitFor(
      'the write in a scrape',
      async () => (valueOf(await metrics(), 'gateway_drain_writes_applied_total') ?? 0) >= 1,
      {
        timeoutMs: 20_000,
      },
    );
    const text = await metrics();
    expect(valueOf(text, 'gateway_drain_batches_total', { lane: 'drain' })).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'gateway_drain_turns_total')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'gateway_upstream_call_duration_seconds_count', { lane: 'drain', access: 'write' })).toBeGreaterThan(0);
  });
});

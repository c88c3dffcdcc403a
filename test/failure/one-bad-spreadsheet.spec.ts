import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream, type Answer } from '../support/client';

/** One spreadsheet hangs, another is well: each has its own circuit. */
describe('a spreadsheet whose calls hang', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;
  let bad: string;
  const badRows = (): string => `/spreadsheets/${bad}/sheets/data/rows`;
  const read = (): Promise<Answer> => client.get(badRows());

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '100000', UPSTREAM_TIMEOUT_MS: '400', UPSTREAM_CIRCUIT_FAILURES: '3' },
    });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    const service = new Client(stack.mock.baseUrl, { 'X-Mock-Uncounted': '1' });
    const made = await service.post('/v4/spreadsheets', { sheets: [{ properties: { title: 'data' } }] });
    bad = made.body.spreadsheetId as string;
    await upstream.write('data!A1:B2', [['id', 'v'], ['k', 1]], bad); // prettier-ignore
    expect((await read()).body.total).toBe(1);
    expect((await client.get('/sheets/orders/rows')).status).toBe(200);
  }, 60_000);
  afterAll(() => stack?.stop());

  it('is left alone after a few failures: its readers wait for nothing, others are served directly, and writes are kept', async () => {
    await upstream.faults({ rules: [{ fault: 'hang', spreadsheetId: bad }] });
    await waitFor('the circuit to open', async () => {
      const sent = (await upstream.calls()).length;
      const answer = await read();
      expect([answer.status, answer.body.total]).toEqual([200, 1]);
      return answer.headers.get('x-degraded-reason') === 'upstream-unavailable' && (await upstream.calls()).length === sent;
    });
    const other = await client.get('/sheets/orders/rows?limit=1');
    expect([other.status, other.headers.get('x-system-degraded')]).toEqual([200, 'false']);
    const written = await client.post(badRows(), { id: 'k2', v: 2 });
    expect([written.status, (await read()).body.total]).toEqual([202, 2]);

    await upstream.faults({ rules: [] });
    await waitFor('direct answers again', async () => (await read()).headers.get('x-system-degraded') === 'false');
    const receipt = String(written.headers.get('location'));
    await waitFor('the write', async () => (await client.get(receipt)).body.state === 'applied', { everyMs: 200 });
    expect(await upstream.values('data!A1:B9', bad)).toEqual([['id', 'v'], ['k', 1], ['k2', 2]]); // prettier-ignore
  });
});

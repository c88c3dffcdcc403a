import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { worstWindow } from '@app/proof';
import { Client, Upstream, type Answer } from '../support/client';

describe('past half of the quota the gateway degrades, and comes back by itself', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;

  beforeAll(async () => {
    stack = await startStack({ mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0' } });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
  }, 60_000);
  afterAll(() => stack?.stop());

  it('200 reads one after another: 150 direct with one call each, the rest from the snapshot, none refused', async () => {
    const answers: Answer[] = [];
    for (let count = 0; count < 200; count += 1) answers.push(await client.get('/sheets/orders/rows'));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 200 }, () => 200));
    const degraded = answers.map((answer) => answer.headers.get('x-system-degraded'));
    expect(degraded).toEqual(Array.from({ length: 200 }, (_, at) => (at < 150 ? 'false' : 'true')));
    expect(answers[0].headers.get('x-data-source')).toBe('upstream');
    expect(answers[0].headers.get('x-quota-consumed')).toBe('1');
    expect(answers[149].headers.get('x-quota-consumed')).toBe('150');
    expect(answers[199].headers.get('x-data-source')).toBe('snapshot');
    expect(answers[199].headers.get('x-degraded-reason')).toBe('quota');
    expect(answers[199].headers.get('ratelimit-policy')).toContain('q=300;w=60');
    expect(answers[199].body.rows).toHaveLength(100);
    const calls = await upstream.calls();
    expect(calls).toHaveLength(150);
    expect(calls.filter((call) => call.status === 429)).toEqual([]);
  });

  it('degraded writes are 202, seen by the very next read, and reach the spreadsheet once and in order', async () => {
    const CLIENTS = 20;
    const EACH = 50;
    const receipts: string[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, who) => {
        for (let count = 0; count < EACH; count += 1) {
          const id = `c${who}-${String(count).padStart(3, '0')}`;
          const answer = await client.post('/sheets/orders/rows', { id, customer: `client ${who}`, quantity: count });
          expect([201, 202]).toContain(answer.status);
          receipts.push(answer.body.id as string);
          const read = await client.get(`/sheets/orders/rows/${id}`);
          expect([read.status, read.body.quantity]).toEqual([200, count]);
        }
      }),
    );
    await waitFor(
      'every receipt to say applied',
      async () => {
        const states = await Promise.all(
          receipts.slice(-3).map(async (id) => (await client.get(`/writes/${id}`)).body.state as string),
        );
        return states.every((state) => state === 'applied');
      },
      { timeoutMs: 60_000, everyMs: 200 },
    );
    for (const id of receipts) expect((await client.get(`/writes/${id}`)).body.state).toBe('applied');
    const written = (await upstream.values('orders!A102:A2000')).map(([id]) => String(id));
    expect(written).toHaveLength(CLIENTS * EACH);
    for (let who = 0; who < CLIENTS; who += 1) {
      const own = written.filter((id) => id.startsWith(`c${who}-`));
      expect(own).toEqual(Array.from({ length: EACH }, (_, count) => `c${who}-${String(count).padStart(3, '0')}`));
    }
    const calls = await upstream.calls();
    expect(calls.filter((call) => call.kind === 'write').length).toBeLessThanOrEqual(20);
    const arrivedMs = calls.map((call) => call.atMs);
    expect(worstWindow(arrivedMs, 60_000)).toBeLessThanOrEqual(300);
    expect(calls.filter((call) => call.status === 429)).toEqual([]);
    await waitFor('the board to show the jobs completed', async () => {
      const board = (await client.get('/queues/api/queues')).body as {
        queues: { name: string; counts: Record<string, number> }[];
      };
      return board.queues[0].counts.completed === CLIENTS * EACH && board.queues[0].counts.failed === 0;
    });
  }, 120_000);
});

describe('coming back (window and limit scaled down)', () => {
  let stack: Stack;
  afterAll(() => stack?.stop());

  it('leaves degraded mode when the window has slid, not before its least stay', async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '20', QUOTA_WINDOW_MS: '2000', QUOTA_MIN_DEGRADED_MS: '1000' },
    });
    const client = new Client(stack.gateways[0].baseUrl);
    const degraded = async (): Promise<boolean> =>
      (await client.get('/sheets/orders/rows')).headers.get('x-system-degraded') === 'true';
    const firstTen: boolean[] = [];
    for (let count = 0; count < 10; count += 1) firstTen.push(await degraded());
    expect(firstTen).toEqual(Array.from({ length: 10 }, () => false));
    expect(await degraded()).toBe(true);
    const since = performance.now();
    await waitFor('direct reads again', async () => !(await degraded()), { timeoutMs: 10_000, everyMs: 50 });
    expect(performance.now() - since).toBeGreaterThan(900);
  }, 60_000);
});

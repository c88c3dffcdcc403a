import { startStack, type Stack } from '@app/local-stack';
import { Client, Upstream, type Answer } from '../support/client';

/** The stages one after the other, each against a mock that allows 40 calls and refills one a second. */
describe('the four stages of the case', () => {
  let stack: Stack;
  let client: Client;

  async function start(protection: string): Promise<void> {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0' },
      gatewayEnv: { PROTECTION: protection, QUOTA_LIMIT: '40', QUOTA_WINDOW_MS: '40000' },
    });
    client = new Client(stack.gateways[0].baseUrl);
    await new Upstream(stack.mock.baseUrl).quota({ model: 'case-study', limit: 40, refillPerSecond: 1 });
  }
  afterEach(() => stack.stop());

  /** `count` requests by 20 clients. */
  async function load(count: number, request: (at: number) => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (next < count) answers.push(await request(next++));
      }),
    );
    return answers;
  }
  const read = (): Promise<Answer> => client.get('/sheets/orders/rows');
  const append = (at: number): Promise<Answer> => client.post('/sheets/orders/rows', { id: `n${at}`, quantity: at });
  const countOf = (answers: readonly Answer[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  it('off: most reads fail with the upstream’s own 429, and an upstream that cuts connections is a 502', async () => {
    await start('off');
    const answers = await load(200, read);
    expect(countOf(answers, 429)).toBeGreaterThan(100);
    expect(countOf(answers, 200) + countOf(answers, 429)).toBe(200);
    expect(answers[0].headers.get('x-quota-consumed')).toBeNull();
    const upstream = new Upstream(stack.mock.baseUrl);
    await upstream.quota({ model: 'off' });
    await upstream.faults({ rules: [{ fault: 'cut', on: 'any' }] });
    expect((await read()).status).toBe(502);
  }, 60_000);

  it('count: the same refusals, but the client can see them coming', async () => {
    await start('count');
    const first = await read();
    expect(first.headers.get('x-quota-consumed')).toBe('1');
    expect(first.headers.get('x-system-degraded')).toBe('false');
    const answers = await load(100, read);
    expect(countOf(answers, 429)).toBeGreaterThan(40);
    expect(Number((await read()).headers.get('x-quota-consumed'))).toBeGreaterThan(40);
  }, 60_000);

  it('reads: no read fails, writes still meet the quota', async () => {
    await start('reads');
    // One after the other: readers who come together share a call, and would not fill the quota.
    const reads: Answer[] = [];
    for (let count = 0; count < 100; count += 1) reads.push(await read());
    expect(countOf(reads, 200)).toBe(100);
    expect(reads.at(-1)?.headers.get('x-system-degraded')).toBe('true');
    const writes = await load(60, append);
    expect(countOf(writes, 201)).toBeGreaterThan(0);
    expect(countOf(writes, 429)).toBeGreaterThan(20);
  }, 60_000);

  it('full: nothing fails, and the upstream refuses nothing', async () => {
    await start('full');
    expect(countOf(await load(300, read), 200)).toBe(300);
    const writes = await load(60, append);
    expect(countOf(writes, 201) + countOf(writes, 202)).toBe(60);
    const calls = await new Upstream(stack.mock.baseUrl).calls();
    expect(calls.filter((call) => call.status === 429)).toEqual([]);
  }, 60_000);
});

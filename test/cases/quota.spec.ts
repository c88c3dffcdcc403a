import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { queuePrefix, WRITE_QUEUE } from '@app/write-queue';
import { Queue, type Job } from 'bullmq';
import { Client, Upstream, type Answer } from '../support/client';
import { createSpreadsheet } from './support/tabs';

/** Two gateways that share nothing but the upstream: each has a ledger, a log and a spreadsheet of its own. */
describe('the quota as clients and the upstream see it', () => {
  let stack: Stack;
  let upstream: Upstream;
  let google: Client;
  let single: Client;
  const ids: string[] = [];

  beforeAll(async () => {
    stack = await startStack({
      gateways: 2,
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: (index) => ({
        KEY_PREFIX: `quota-${index}`,
        DRAIN_PACE_MS: '100',
        ...(index === 0 ? { QUOTA_PRESET: 'google' } : { QUOTA_WINDOW_MS: '4000', QUOTA_MIN_DEGRADED_MS: '100' }),
      }),
    });
    upstream = new Upstream(stack.mock.baseUrl);
    [google, single] = stack.gateways.map((gateway) => new Client(gateway.baseUrl));
    for (let index = 0; index < 2; index += 1) ids.push(await createSpreadsheet(stack.mock.baseUrl, 'log', [['id', 'n']]));
  }, 60_000);
  afterAll(() => stack?.stop());
  afterEach(async () => {
    await upstream.faults({ rules: [] });
    await upstream.quota({ model: 'off' });
  });

  const rowsOf = (index: number): string => `/spreadsheets/${ids[index]}/sheets/log/rows`;

  async function callsOf(index: number): Promise<{ kind: string; status: number }[]> {
    return (await upstream.calls()).filter(({ path }) => path.includes(ids[index]));
  }

  /** The limit in force of each quota. */
  function policies(answer: Answer): string[] {
    return answer.headers.get('ratelimit-policy')?.split(', ') ?? [];
  }

  async function applied(client: Client, answer: Answer): Promise<void> {
    await waitFor(
      'the write to be applied',
      async () => (await client.get(`/writes/${answer.body.id}?wait=10s`)).body.state === 'applied',
      { timeoutMs: 45_000 },
    );
  }

  it('a failed call counts once and is not repeated behind the reader’s back (case 017)', async () => {
    const first = await google.get(rowsOf(0));
    const before = (await callsOf(0)).length;
    await upstream.faults({ rules: [{ fault: '503', on: 'read', times: 2 }] });
    const reads = [await google.get(rowsOf(0)), await google.get(rowsOf(0)), await google.get(rowsOf(0))];
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(reads.map(({ headers }) => headers.get('x-data-source'))).toEqual(['snapshot', 'snapshot', 'upstream']);
    expect((await callsOf(0)).length - before).toBe(3);
    expect(Number(reads[2].headers.get('x-quota-consumed')) - Number(first.headers.get('x-quota-consumed'))).toBe(3);
  }, 60_000);

  it('of 70 reads in a row none fails and none is refused: the user’s 60 bind before the project’s 300; writes are counted apart (cases 001, 002)', async () => {
    await upstream.quota({ model: 'google', window: 'sliding' });
    const answers: Answer[] = [];
    for (let n = 0; n < 70; n += 1) answers.push(await google.get(rowsOf(0)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const last = answers[69];
    expect([last.headers.get('x-system-degraded'), last.headers.get('x-data-source')]).toEqual(['true', 'snapshot']);
    const reads = await callsOf(0);
    expect(reads.filter(({ status }) => status === 429)).toEqual([]);
    expect(reads.length).toBeLessThanOrEqual(60);
    expect(reads.length).toBeGreaterThanOrEqual(25);
    const written = await google.post(rowsOf(0), { id: 'apart', n: 1 });
    expect([written.status, written.headers.get('x-system-degraded')]).toEqual([201, 'false']);
  }, 60_000);

  it('a refusal that names the user’s writes closes and lowers that gate and no other; the write waits (case 007)', async () => {
    const before = policies(await google.get(rowsOf(0)));
    await upstream.faults({
      rules: [{ fault: '429', on: 'write', times: 1, metric: 'write_requests', scope: 'user', limitValue: 120 }],
    });
    const refused = await google.post(rowsOf(0), { id: 'first', n: 1 });
    expect([refused.status, refused.headers.get('x-degraded-reason')]).toEqual([202, 'quota']);
    const read = await google.get(`${rowsOf(0)}/first`);
    expect(read.body).toEqual({ id: 'first', n: 1 });
    const after = policies(read);
    expect(after).toHaveLength(4);
    expect(after.filter((policy) => !before.includes(policy))).toEqual([expect.stringMatching(/write.*user|user.*write/i)]);
  }, 60_000);

  it('while the upstream refuses every write none is called done; its job keeps its attempts, and it is applied later (cases 013, 111)', async () => {
    await upstream.faults({ rules: [{ fault: '429', on: 'write' }] });
    const answer = await single.post(rowsOf(1), { id: 'refused', n: 1 });
    expect([answer.status, answer.body.state]).toEqual([202, 'accepted']);
    const queue = new Queue(WRITE_QUEUE, { connection: { url: stack.redis.url }, prefix: queuePrefix('quota-1') });
    try {
      const job = async (): Promise<Job> => (await queue.getJob(answer.body.id as string)) as Job;
      await waitFor('the job to have been sent away three times', async () => (await job()).attemptsStarted > 3, {
        timeoutMs: 45_000,
        everyMs: 100,
      });
      expect((await single.get(`/writes/${answer.body.id}`)).body.state).toMatch(/^(accepted|sending)$/);
      await upstream.faults({ rules: [] });
      await applied(single, answer);
      await waitFor('the job to be completed', async () => (await job()).isCompleted());
      expect((await job()).attemptsMade).toBeLessThanOrEqual(1);
    } finally {
      await queue.close();
    }
    expect((await single.get(`${rowsOf(1)}/refused`)).status).toBe(200);
  }, 120_000);

  it('eight writes against an upstream with five places land once; refused tries do not keep its quota full (case 014)', async () => {
    await upstream.quota({ model: 'case-study', limit: 5, refillPerSecond: 0.5 });
    const before = (await callsOf(1)).length;
    const answers: Answer[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(await single.post(rowsOf(1), { id: `eight-${n}`, n }));
    expect(answers.every(({ status }) => status === 201 || status === 202)).toBe(true);
    for (const answer of answers) await applied(single, answer);
    const calls = (await callsOf(1)).slice(before);
    expect(calls.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(5);
    await upstream.quota({ model: 'off' });
    const rows = (await single.get(`${rowsOf(1)}`)).body.rows as { id: string }[];
    expect(rows.map(({ id }) => id).filter((id) => id.startsWith('eight-'))).toEqual(
      Array.from({ length: 8 }, (_, n) => `eight-${n}`),
    );
  }, 120_000);
});

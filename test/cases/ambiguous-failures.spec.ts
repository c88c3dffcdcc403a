import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream, type Answer } from '../support/client';
import { startRecordingProxy, type RecordingProxy } from './support/recording-proxy';
import { addTabs, cellsOf, createSpreadsheet, rowsPath } from './support/tabs';

const UPSTREAM_TIMEOUT_MS = 1_000;

/** What a busy machine may add to an answer. */
const SLACK_MS = 2_500;

describe('a write whose outcome nobody knows is applied once', () => {
  let stack: Stack;
  let proxy: RecordingProxy;
  let client: Client;
  let upstream: Upstream;
  let shared: string;
  const path = rowsPath('log');

  beforeAll(async () => {
    proxy = await startRecordingProxy();
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '5', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: {
        UPSTREAM_BASE_URL: proxy.baseUrl,
        UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
        DIRECT_WRITE_WAIT_MS: '2000',
        QUOTA_LIMIT: '100000',
        DRAIN_PACE_MS: '100',
      },
    });
    proxy.sendTo(stack.mock.baseUrl);
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    await addTabs(upstream, { log: [['id', 'n']], Funnel: [['id', 'n']] });
    shared = await createSpreadsheet(stack.mock.baseUrl, 'log', [
      ['id', 'n'],
      ['a', 1],
    ]);
    expect((await client.get(path)).status).toBe(200);
  }, 60_000);
  afterAll(async () => {
    await stack?.stop();
    await proxy?.stop();
  });
  afterEach(async () => {
    proxy.refuse(undefined);
    await upstream.faults({ rules: [] });
  });

  async function settled(answer: Answer): Promise<string> {
    return await waitFor(
      'the write to be settled',
      async () => {
        const { state } = (await client.get(`/writes/${answer.body.id}?wait=10s`)).body as { state: string };
        return ['applied', 'failed', 'cancelled'].includes(state) && state;
      },
      { timeoutMs: 45_000 },
    );
  }

  async function landed(prefix: string): Promise<unknown[]> {
    return (await cellsOf(upstream, 'log')).map(([id]) => id).filter((id) => String(id).startsWith(prefix));
  }

  it('three rows are applied, the connection is cut before the answer: three rows in the end (case 032)', async () => {
    await upstream.faults({ rules: [{ fault: 'cut-after-apply', on: 'write', times: 1 }] });
    const answer = await client.post(
      path,
      ['c1', 'c2', 'c3'].map((id) => ({ id })),
    );
    expect([201, 202]).toContain(answer.status);
    expect((await client.get(`${path}/c2`)).status).toBe(200);
    expect(await settled(answer)).toBe('applied');
    expect(await landed('c')).toEqual(['c1', 'c2', 'c3']);
  }, 60_000);

  it('applied and answered 503, three times over: one row (case 033)', async () => {
    await upstream.faults({ rules: [{ fault: 'apply-then-503', on: 'write', times: 3 }] });
    const answer = await client.post(path, { id: 'b1' });
    expect([201, 202]).toContain(answer.status);
    expect(await settled(answer)).toBe('applied');
    expect(await landed('b')).toEqual(['b1']);
  }, 60_000);

  it('a 503 that applied nothing: what is sent again is the same to the byte, and lands once (cases 034, 067)', async () => {
    await upstream.faults({ rules: [{ fault: '503', on: 'write', times: 1 }] });
    const answer = await client.post(path, { id: 'again-é', n: 1.5 });
    expect([201, 202]).toContain(answer.status);
    expect(await settled(answer)).toBe('applied');
    const sent = proxy.requests.filter(({ body }) => body.includes('again-é'));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(await landed('again')).toEqual(['again-é']);
  }, 60_000);

  it('a range is qualified once, however often it is asked for (case 067)', async () => {
    await client.get(rowsPath('Funnel'));
    await upstream.faults({ rules: [{ fault: '503', on: 'read', times: 1 }] });
    const failed = await client.get(rowsPath('Funnel'));
    const second = await client.get(rowsPath('Funnel'));
    expect([failed.status, second.status, second.headers.get('x-data-source')]).toEqual([200, 200, 'upstream']);
    const urls = proxy.requests.map(({ url }) => url).filter((url) => url.includes('Funnel'));
    expect(urls.length).toBeGreaterThanOrEqual(3);
    expect(new Set(urls.slice(-2)).size).toBe(1);
    expect(decodeURIComponent(urls[urls.length - 1]).split('Funnel')).toHaveLength(2);
  }, 60_000);

  it('the upstream is away: ten events are accepted and delivered in order once it is back (case 035)', async () => {
    await upstream.faults({ rules: [{ fault: 'cut', on: 'any' }] });
    const answers: Answer[] = [];
    for (let n = 0; n < 10; n += 1) answers.push(await client.post(path, { id: `event-${n}`, n }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    expect((await client.get(path)).status).toBe(200);
    await upstream.faults({ rules: [] });
    for (const answer of answers) expect(await settled(answer)).toBe('applied');
    expect(await landed('event-')).toEqual(Array.from({ length: 10 }, (_, n) => `event-${n}`));
  }, 90_000);

  it('an upstream that never answers costs its deadline at most; the snapshot answers, the write is unknown, then applied (case 037)', async () => {
    await upstream.faults({
      rules: [
        { fault: 'hang', on: 'read', times: 1 },
        { fault: 'hang', on: 'write', times: 2 },
      ],
    });
    const before = performance.now();
    const read = await client.get(path);
    expect(performance.now() - before).toBeLessThan(UPSTREAM_TIMEOUT_MS + SLACK_MS);
    expect([read.status, read.headers.get('x-degraded-reason')]).toEqual([200, 'upstream-unavailable']);
    const answer = await client.post(path, { id: 'hung' });
    expect(answer.status).toBe(202);
    expect((await client.get(`${path}/hung`)).status).toBe(200);
    await waitFor('the receipt to say unknown', async () => {
      return (await client.get(`/writes/${answer.body.id}`)).body.state === 'unknown';
    });
    expect(await settled(answer)).toBe('applied');
    expect(await landed('hung')).toEqual(['hung']);
  }, 60_000);

  it('every seventh write call answers 500, half of them after it was applied: all rows once, in order (case 039)', async () => {
    await upstream.faults({
      rules: [
        { fault: 'apply-then-503', on: 'write', every: 14 },
        { fault: '500', on: 'write', every: 7 },
      ],
    });
    const answers: Answer[] = [];
    for (let n = 0; n < 30; n += 1) answers.push(await client.post(path, { id: `m${n}`, n }));
    expect(answers.every(({ status }) => status === 201 || status === 202)).toBe(true);
    for (const answer of answers) expect(await settled(answer)).toBe('applied');
    expect(await landed('m')).toEqual(Array.from({ length: 30 }, (_, n) => `m${n}`));
  }, 90_000);

  it('may be read and not written: the write waits and says why, the next is refused, other spreadsheets go on (case 088)', async () => {
    const message = 'The caller does not have permission';
    proxy.refuse(({ method, url }) =>
      method === 'POST' && url.includes(shared)
        ? { status: 403, body: { error: { code: 403, message, status: 'PERMISSION_DENIED' } } }
        : undefined,
    );
    const there = `/spreadsheets/${shared}/sheets/log/rows`;
    expect((await client.get(there)).body.rows).toEqual([{ id: 'a', n: 1 }]);
    const waiting = await client.post(there, { id: 'b' });
    expect([waiting.status, waiting.headers.get('x-degraded-reason')]).toEqual([202, 'waiting']);
    expect(waiting.body.waiting).toMatchObject({ code: 'no-write-permission', since: expect.any(String) as string });
    expect(waiting.body.waiting.message).toMatch(/^share the spreadsheet with .* as an editor/);
    const next = await client.post(there, { id: 'c' });
    expect([next.status, next.body.code, next.body.field]).toEqual([403, 'no-write-permission', 'spreadsheetId']);
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0);
    const [listed] = (await client.get(`/writes?spreadsheetId=${shared}&state=accepted`)).body.writes as unknown[];
    expect(listed).toMatchObject({ id: waiting.body.id as string, waiting: { code: 'no-write-permission' } });
    expect((await client.post(path, { id: 'elsewhere' })).status).toBe(201);
    expect((await client.get(`/writes/${waiting.body.id}`)).body.state).toBe('accepted');
    expect((await client.delete(`/writes/${waiting.body.id}`)).body.state).toBe('cancelled');
    expect((await client.get(there)).body.rows).toEqual([{ id: 'a', n: 1 }]);
  }, 60_000);

  it('a spreadsheet that may not be opened is a 403 that says what to do, for reads and writes alike (case 018)', async () => {
    const message = 'The caller does not have permission';
    proxy.refuse(({ url }) =>
      url.includes('of-somebody-else')
        ? { status: 403, body: { error: { code: 403, message, status: 'PERMISSION_DENIED' } } }
        : undefined,
    );
    const answer = await client.get('/spreadsheets/of-somebody-else/sheets/log/rows');
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([403, 'no-permission', 'spreadsheetId']);
    expect(answer.body.message).toContain('share the spreadsheet with it');
    expect((await client.post('/spreadsheets/of-somebody-else/sheets/log/rows', { id: 'x' })).status).toBe(403);
  });
});

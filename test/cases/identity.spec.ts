import { waitFor } from '@app/platform';
import { type Client } from '../support/client';
import { startQueuedStack, type QueuedStack } from './support/queued-stack';
import { addTabs, cellsOf, personAt, rowsPath } from './support/tabs';

/** Each write is accepted while the drain is held; then a person changes the sheet; then the write is sent. */
describe('a write is about a key and a column, not about a position', () => {
  let queued: QueuedStack;
  let client: Client;
  let ids: Record<string, number>;

  beforeAll(async () => {
    queued = await startQueuedStack({
      prepare: async (upstream) => {
        ids = await addTabs(upstream, {
          deletes: [['id', 'name'], ...['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => [id, `name of ${id}`])],
          inserts: [['id', 'n'], ...[40, 41, 42, 43].map((id) => [id, 'old'])],
          sorted: [['id', 'n'], ...[3, 1, 2].map((id) => [id, 'old'])],
          places: [
            ['id', 'lat', 'lon'],
            ['here', 1, 2],
            ['there', 7, 8],
          ],
          young: [
            ['id', 'lat', 'lon'],
            ['here', 1, 2],
          ],
          retitled: [
            ['id', 'n'],
            ['a', 1],
          ],
          renamed: [
            ['id', 'qty'],
            ['x', 1],
          ],
          formulas: [
            ['id', 'n', 'unit', 'note'],
            ['f1', 1, 'kg', 'a'],
            ['f2', 2, 'kg', 'b'],
            ['f3', 3, 'kg', 'c'],
          ],
          crossed: [['id', 'n'], ...['c1', 'c2', 'c3', 'c4'].map((id) => [id, 'old'])],
          moving: [
            ['id', 'n'],
            ['m', 1],
          ],
          again: [
            ['id', 'n'],
            ['z', 1],
          ],
        });
      },
    });
    client = queued.client;
  }, 90_000);
  afterAll(() => queued?.stop());
  afterEach(() => queued.letGo(), 60_000);

  function rows(title: string): Promise<unknown[][]> {
    return cellsOf(queued.upstream, title);
  }

  it('two deletes hit the rows that they name, though the first one shifts the second’s row (case 049)', async () => {
    await queued.hold();
    for (const key of ['r2', 'r4']) expect((await client.delete(`${rowsPath('deletes')}/${key}`)).status).toBe(202);
    const before = await queued.writeCalls();
    await queued.letGo();
    expect((await rows('deletes')).map(([id]) => id)).toEqual(['id', 'r1', 'r3', 'r5']);
    expect(await queued.writeCalls()).toBe(before + 1);
  }, 60_000);

  it('a person inserts a row above: the change lands where its key is now (case 050)', async () => {
    await queued.hold();
    await client.patch(`${rowsPath('inserts')}/42`, { n: 'new' });
    await queued.upstream.edit([
      { insertDimension: { range: { sheetId: ids.inserts, dimension: 'ROWS', startIndex: 1, endIndex: 2 } } },
    ]);
    await queued.upstream.write('inserts!A2:B2', [[39, 'by hand']]);
    await queued.letGo();
    expect((await rows('inserts')).slice(1)).toEqual([
      [39, 'by hand'],
      [40, 'old'],
      [41, 'old'],
      [42, 'new'],
      [43, 'old'],
    ]);
  }, 60_000);

  it('a person sorts the sheet: changes and deletes follow their keys (case 052)', async () => {
    await queued.hold();
    await client.patch(`${rowsPath('sorted')}/3`, { n: 'three' });
    await client.delete(`${rowsPath('sorted')}/1`);
    await queued.upstream.edit([
      {
        sortRange: {
          range: { sheetId: ids.sorted, startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 },
          sortSpecs: [{ dimensionIndex: 0, sortOrder: 'ASCENDING' }],
        },
      },
    ]);
    await queued.letGo();
    expect((await rows('sorted')).slice(1)).toEqual([
      [2, 'old'],
      [3, 'three'],
    ]);
  }, 60_000);

  it('a person inserts a row while a delete is on its way: it is reported as row-moved, and never as done (case 052)', async () => {
    await queued.upstream.faults({ latencyMs: 1_500, latencyJitterMs: 0, rules: [] });
    const before = await queued.writeCalls();
    const deleted = await client.delete(`${rowsPath('crossed')}/c3`);
    await waitFor('the call to be on its way', async () => (await queued.writeCalls()) > before, {
      everyMs: 10,
      timeoutMs: 30_000,
    });
    await queued.upstream.edit([
      { insertDimension: { range: { sheetId: ids.crossed, dimension: 'ROWS', startIndex: 1, endIndex: 2 } } },
    ]);
    await queued.settled();
    await queued.upstream.faults({ rules: [] });
    expect(await queued.receiptOf(deleted)).toMatchObject({ state: 'failed', reason: { code: 'row-moved' } });
    expect((await rows('crossed')).flat()).toContain('c3');
  }, 60_000);

  it('a person moves a column: the value lands under its header, and no other cell changes (case 061)', async () => {
    await queued.hold();
    await client.patch(`${rowsPath('places')}/here`, { lat: 4 });
    await queued.upstream.edit([
      {
        moveDimension: {
          source: { sheetId: ids.places, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 },
          destinationIndex: 3,
        },
      },
    ]);
    await queued.letGo();
    expect(await rows('places')).toEqual([
      ['id', 'lon', 'lat'],
      ['here', 2, 4],
      ['there', 8, 7],
    ]);
  }, 60_000);

  it('a person moves a column seconds after the last look: an append under its old place is reported, the next one lands (case 061)', async () => {
    // A change is resolved by a look at the sheet; appends that follow within seconds are not.
    await client.patch(`${rowsPath('young')}/here`, { lat: 4 });
    await queued.settled();
    await queued.upstream.edit([
      {
        moveDimension: { source: { sheetId: ids.young, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 }, destinationIndex: 3 },
      },
    ]);
    const astray = await client.post(rowsPath('young'), { id: 'there', lat: 7 });
    await queued.settled();
    const receipt = await queued.receiptOf(astray);
    expect(receipt).toMatchObject({ state: 'failed', reason: { code: 'column-moved' } });
    expect((receipt.reason as { message: string }).message).toContain('"lat"');
    const next = await client.post(rowsPath('young'), { id: 'after', lat: 8 });
    await queued.settled();
    expect(await queued.stateOf(next)).toBe('applied');
    expect(await rows('young')).toEqual([
      ['id', 'lon', 'lat'],
      ['here', 2, 4],
      ['there', 7],
      ['after', '', 8],
    ]);
  }, 60_000);

  it('a tab is renamed seconds after the last look: an append follows it, and its receipt says so', async () => {
    await client.patch(`${rowsPath('retitled')}/a`, { n: 2 });
    await queued.settled();
    await queued.upstream.edit([
      { updateSheetProperties: { properties: { sheetId: ids.retitled, title: 'titled anew' }, fields: 'title' } },
    ]);
    const appended = await client.post(rowsPath('retitled'), { id: 'b', n: 3 });
    await queued.settled();
    expect(await queued.receiptOf(appended)).toMatchObject({
      state: 'applied',
      landed: { row: 3, range: "'titled anew'!A3:B3", sheetId: ids.retitled },
    });
  }, 60_000);

  it('a column is renamed: a write for its old name is set aside, one for its new name lands (case 057)', async () => {
    await queued.hold();
    const old = await client.patch(`${rowsPath('renamed')}/x`, { qty: 3 });
    await queued.upstream.write('renamed!B1', [['amount']]);
    await queued.letGo();
    expect(await queued.receiptOf(old)).toMatchObject({ state: 'failed', reason: { code: 'column-gone' } });
    expect(await rows('renamed')).toEqual([
      ['id', 'amount'],
      ['x', 1],
    ]);
    const renewed = await client.patch(`${rowsPath('renamed')}/x`, { amount: 3 });
    await queued.settled();
    expect(await queued.stateOf(renewed)).toBe('applied');
    expect((await rows('renamed'))[1]).toEqual(['x', 3]);
  }, 60_000);

  it('a column of formulas that a person keeps beside the data outlives appends, changes and deletes (case 062)', async () => {
    const path = rowsPath('formulas');
    await queued.upstream.edit([
      {
        updateCells: {
          start: { sheetId: ids.formulas, rowIndex: 0, columnIndex: 4 },
          rows: [
            { values: [{ userEnteredValue: { stringValue: 'double' } }] },
            ...[2, 3, 4].map((row) => ({ values: [{ userEnteredValue: { formulaValue: `=B${row}*2` } }] })),
          ],
          fields: 'userEnteredValue',
        },
      },
    ]);
    for (const write of [
      () => client.post(path, { id: 'f4', n: 4, unit: 'kg' }),
      () => client.patch(`${path}/f1`, { n: 10, unit: '' }),
      () => client.delete(`${path}/f2`),
    ]) {
      expect((await write()).status).toBe(202);
      await queued.settled();
    }
    const person = personAt(queued.stack.mock.baseUrl);
    const shown = await person.get('/v4/spreadsheets/mock-spreadsheet/values/formulas!A1:E9?valueRenderOption=FORMULA');
    expect(shown.body.values).toEqual([
      ['id', 'n', 'unit', 'note', 'double'],
      ['f1', 10, '', 'a', '=B2*2'],
      ['f3', 3, 'kg', 'c', expect.stringMatching(/^=B\d\*2$/)],
      ['f4', 4, 'kg'],
    ]);
    expect((await rows('formulas')).map((row) => row[4])).toEqual(['double', 20, expect.any(Number), undefined]);
  }, 60_000);

  it('a tab is renamed: the write follows it; a tab of the same name made anew is never written silently', async () => {
    await queued.hold();
    await client.patch(`${rowsPath('moving')}/m`, { n: 2 });
    const lost = await client.patch(`${rowsPath('again')}/z`, { n: 2 });
    await queued.upstream.edit([
      { updateSheetProperties: { properties: { sheetId: ids.moving, title: 'moved' }, fields: 'title' } },
      { deleteSheet: { sheetId: ids.again } },
    ]);
    await addTabs(queued.upstream, {
      again: [
        ['id', 'n'],
        ['z', 'of somebody else'],
      ],
    });
    await queued.letGo();
    expect((await rows('moved'))[1]).toEqual(['m', 2]);
    expect(await queued.receiptOf(lost)).toMatchObject({ state: 'failed', reason: { code: 'sheet-gone' } });
    expect((await rows('again'))[1]).toEqual(['z', 'of somebody else']);
  }, 60_000);
});

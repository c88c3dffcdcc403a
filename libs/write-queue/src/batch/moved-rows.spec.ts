import type { SnapshotCell } from '@app/sheet-view';
import type { FrozenBatch, RowsOperation } from '@app/write-log';
import { BATCH_LIMITS } from './limits';
import { movedColumns } from './moved-columns';
import { movedRows } from './moved-rows';
import { planBatch } from './plan-batch';
import { ShownCells } from './shown-cells';

const HEADER = ['id', 'a'];

function batchOf(cells: readonly (readonly SnapshotCell[])[], operations: readonly RowsOperation[]): FrozenBatch {
  const content = { sheetId: 5, title: 'tab', index: 0, rowCount: 100, columnCount: 26, cells };
  const { batch } = planBatch({
    writes: operations.map((operation, at) => ({ number: at + 1, sheetId: 5, sheetTitle: 'tab', operation })),
    first: 1,
    last: operations.length,
    grids: new Map([[5, content]]),
    keyColumnName: 'id',
    batchNumber: 1,
    batchId: 'b',
    epoch: 'e',
    limits: BATCH_LIMITS,
  });
  return batch as FrozenBatch;
}

const patch = (key: string): RowsOperation => ({ kind: 'patch', key, set: { a: 1 } });
const remove = (key: string): RowsOperation => ({ kind: 'delete', key });

/** The key column as it stands after the batch. */
function answerOf(keys: readonly string[]): ShownCells {
  const rowData = keys.map((key) => ({ values: key === '' ? [{}] : [{ effectiveValue: { stringValue: key } }] }));
  return new ShownCells({
    updatedSpreadsheet: { sheets: [{ properties: { sheetId: 5 }, data: [{ startRow: 0, rowData }] }] },
  });
}

const rows = (...keys: string[]): string[][] => [HEADER, ...keys.map((key) => [key])];
const blamed = (batch: FrozenBatch, keys: readonly string[]): number[] =>
  movedRows(batch, answerOf(keys)).map(({ number }) => number);

describe('what the answer to a batch says of the rows that it was meant for', () => {
  it('nothing, where each stands as it was planned', () => {
    const batch = batchOf(rows('r1', 'r2', 'r3', 'r4', 'r5'), [remove('r2'), patch('r3'), remove('r4')]);
    expect(blamed(batch, ['id', 'r1', 'r3', 'r5'])).toEqual([]);
  });

  it('that a change went to another row', () => {
    const batch = batchOf(rows('r1', 'r2', 'r3'), [patch('r2')]);
    expect(movedRows(batch, answerOf(['id', '', 'r1', 'r2', 'r3']))).toEqual([
      { number: 1, code: 'row-moved', message: expect.stringContaining('it changed that row') as string },
    ]);
  });

  it.each<[string, string[]]>([
    ['a row was put in at the top', ['id', '', 'r2', 'r3']],
    ['a row was put in right above it', ['id', 'r1', 'r2', 'r3']],
    ['a row above was taken out', ['id', 'r2']],
    ['the sheet was sorted the other way', ['id', 'r3', 'r1']],
  ])('that a deletion may have hit another row: %s', (_what, keys) => {
    const batch = batchOf(rows('r1', 'r2', 'r3'), [remove('r2')]);
    expect(movedRows(batch, answerOf(keys))).toEqual([
      { number: 1, code: 'row-moved', message: expect.stringContaining('it may have deleted another row') as string },
    ]);
  });

  it('of the last row with a key, by the row above it: what is appended or noted below is no sign', () => {
    const cells = [...rows('r1', 'r2'), [], ['', 'a note']];
    const batch = batchOf(cells, [remove('r2'), { kind: 'append', rows: [{ key: 'n', values: { id: 'n' } }] }]);
    expect(blamed(batch, ['id', 'r1', 'n', ''])).toEqual([]);
    expect(blamed(batch, ['id', '', 'n', ''])).toEqual([1]);
  });

  it('of the only row, by the header, blank or not', () => {
    expect(blamed(batchOf(rows('r1'), [remove('r1')]), ['id'])).toEqual([]);
    expect(blamed(batchOf([['  id '], ['r1']], [remove('r1')]), ['  id '])).toEqual([]);
    expect(blamed(batchOf(rows('r1'), [remove('r1')]), ['r1'])).toEqual([1]);
  });

  it('each write once, and only those beside what moved', () => {
    const batch = batchOf(rows('r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7'), [remove('r2'), remove('r3'), remove('r6')]);
    expect(blamed(batch, ['id', 'r1', 'r4', 'r5', 'r7'])).toEqual([]);
    expect(blamed(batch, ['id', 'x', 'y', 'r5', 'r7'])).toEqual([1, 2]);
    expect(blamed(batch, ['id', 'r1', 'r4', 'r5', 'r6'])).toEqual([3]);
  });
});

describe('what the answer to a batch says of the columns that it wrote under', () => {
  const header = (...names: string[]): ShownCells => {
    const values = names.map((name) => ({ effectiveValue: { stringValue: name } }));
    return new ShownCells({
      updatedSpreadsheet: { sheets: [{ properties: { sheetId: 5 }, data: [{ rowData: [{ values }] }] }] },
    });
  };
  const append = (key: string, values: Record<string, string>): RowsOperation => ({
    kind: 'append',
    rows: [{ key, values: { id: key, ...values } }],
  });
  const cells = [['id', ' a ', 'b'], ['r1']];
  const verdicts = (operations: RowsOperation[], shown: ShownCells): [number, string][] =>
    movedColumns(batchOf(cells, operations), shown).map(({ number, code }) => [number, code]);

  it('nothing, where each has the header that it had, white space apart, or where nothing is shown', () => {
    const operations = [append('n', { a: '1', b: '2' }), patch('r1')];
    expect(verdicts(operations, header('id', 'a', ' b', 'new'))).toEqual([]);
    expect(verdicts(operations, new ShownCells({}))).toEqual([]);
  });

  it('which writes used a column that another one stands in now, and only those (case 061)', () => {
    const operations = [append('n', { a: '1' }), append('m', { b: '1' }), append('o', {}), patch('r1')];
    expect(verdicts(operations, header('id', 'x', 'b', 'a'))).toEqual([1, 4].map((number) => [number, 'column-moved']));
    const [told] = movedColumns(batchOf(cells, operations), header('id', 'x', 'b', 'a'));
    expect(told.message).toContain('column B is called "x" and not "a", that is column D now');
  });

  it('every write, where it is the key column: rows were looked for in the wrong one', () => {
    const operations = [append('n', {}), patch('r1')];
    expect(verdicts(operations, header('new', 'id', 'a', 'b')).map(([number]) => number)).toEqual([1, 2]);
    expect(verdicts([remove('r1')], header('a', 'id')).map(([number]) => number)).toEqual([1]);
  });
});

import type { SnapshotCell } from '@app/sheet-view';
import type { FrozenBatch, Landed, RowsOperation } from '@app/write-log';
import { landedRows } from './landed-rows';
import { BATCH_LIMITS } from './limits';
import { planBatch } from './plan-batch';
import type { PlannedGrid } from './sheet-plan';
import { ShownCells } from './shown-cells';

const HEADER = ['id', 'a', 'b'];
const gridOf = (...keys: string[]): PlannedGrid => ({
  sheetId: 5,
  title: "it's",
  index: 0,
  rowCount: 1_000,
  columnCount: 26,
  cells: [HEADER, ...keys.map((key): SnapshotCell[] => (key === '' ? [] : [key]))],
});

function batchOf(grid: PlannedGrid, operations: readonly RowsOperation[]): FrozenBatch {
  const { batch } = planBatch({
    writes: operations.map((operation, at) => ({ number: at + 1, sheetId: 5, sheetTitle: 'tab', operation })),
    first: 1,
    last: operations.length,
    grids: new Map([[5, grid]]),
    keyColumnName: 'id',
    batchNumber: 1,
    batchId: 'b',
    epoch: 'e',
    limits: BATCH_LIMITS,
  });
  return batch as FrozenBatch;
}

/** The key column as it stands after the batch, from a row on. */
function shownFrom(startRow: number, ...keys: string[]): ShownCells {
  const rowData = keys.map((key) => ({ values: [{ effectiveValue: { stringValue: key } }] }));
  return new ShownCells({ updatedSpreadsheet: { sheets: [{ properties: { sheetId: 5 }, data: [{ startRow, rowData }] }] } });
}

const append = (...keys: string[]): RowsOperation => ({
  kind: 'append',
  rows: keys.map((key) => ({ key, values: { id: key } })),
});
const patch = (key: string): RowsOperation => ({ kind: 'patch', key, set: { a: 1 } });
const remove = (key: string): RowsOperation => ({ kind: 'delete', key });

describe('where each write of a batch came to lie', () => {
  it('appended, changed and deleted rows, by their place in the sheet’s margin', () => {
    const batch = batchOf(gridOf('r1', 'r2', 'r3'), [remove('r1'), patch('r3'), append('n1', 'n2')]);
    expect(batch.body.responseRanges).toEqual(["'it''s'!1:1", "'it''s'!A1:A105"]);
    expect([...landedRows(batch, shownFrom(0, 'id', 'r2', 'r3', 'n1', 'n2'))]).toEqual([
      [1, { sheetId: 5, row: 2, range: "'it''s'!A2:C2" }],
      [2, { sheetId: 5, row: 3, range: "'it''s'!A3:C3" }],
      [3, { sheetId: 5, row: 4, range: "'it''s'!A4:C5" }],
    ]);
  });

  it('where a person added rows before the batch came, by the key', () => {
    const young = { ...gridOf(), appendedRows: { first: 400, last: 420 } };
    const batch = batchOf(young, [append('n')]);
    expect(batch.body.responseRanges?.[1]).toBe("'it''s'!A301:A521");
    expect(landedRows(batch, shownFrom(430, 'x', 'n')).get(1)).toMatchObject({ row: 432 });
    expect(landedRows(batch, shownFrom(300, 'x')).get(1)).toBe('not-shown');
  });

  it('a look begins within the grid, however full that is', () => {
    const full = { ...gridOf(), rowCount: 50, appendedRows: { first: 400, last: 420 } };
    expect(batchOf(full, [append('n')]).body.responseRanges?.[1]).toBe("'it''s'!A50:A521");
  });

  it('rows that do not follow each other are ranges of their own, at most twenty on a receipt', () => {
    const keys = Array.from({ length: 60 }, (_, at) => `n${at}`);
    const gone = keys.filter((_, at) => at % 2 === 1);
    const batch = batchOf(gridOf(), [append(...keys), ...gone.map(remove)]);
    const landed = landedRows(batch, shownFrom(1, ...keys.flatMap((key, at) => (at % 2 === 0 ? [key, 'between'] : []))));
    expect(landed.get(1)).toMatchObject({ row: 2, range: "'it''s'!A2:C2", rangesLeftOut: 10 });
    expect((landed.get(1) as Landed).ranges).toHaveLength(20);
    expect(landed.get(2)).toBe('not-sent');
  });

  it('nothing is claimed of a row that another key stands in', () => {
    expect(landedRows(batchOf(gridOf('r1'), [patch('r1')]), shownFrom(0, 'id', 'other')).get(1)).toBe('not-shown');
  });
});

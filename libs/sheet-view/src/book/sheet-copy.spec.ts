import type { CellsOperation, LoggedWrite } from '@app/write-log';
import type { SnapshotContent } from '../snapshot';
import { contentWith, sheetCopy } from './sheet-copy';

const content: SnapshotContent = {
  sheetId: 7,
  title: 'data',
  index: 0,
  rowCount: 4,
  columnCount: 3,
  cells: [
    ['id', 'name', 'n'],
    ['k1', 'Bea', { value: 7, shown: '$7' }],
    ['k2', '', { value: 14, shown: '14', formula: '=C2*2' }],
  ],
};
const write = (number: number, operation: LoggedWrite['operation']): LoggedWrite => ({
  number,
  sheetId: 7,
  sheetTitle: 'data',
  operation,
});
const cell = (rowIndex: number, columnIndex: number, userEnteredValue: object): CellsOperation['requests'][number] => ({
  updateCells: {
    start: { sheetId: 7, rowIndex, columnIndex },
    rows: [{ values: [{ userEnteredValue }] }],
    fields: 'userEnteredValue',
  },
});
const cells = (...requests: CellsOperation['requests']): CellsOperation => ({ kind: 'cells', requests, seenThrough: 0 });

describe('a sheet cell by cell', () => {
  it('shows writes by key and writes by position in their order', () => {
    const writes = [
      write(1, { kind: 'append', rows: [{ key: 'k3', values: { id: 'k3', name: 'Cid' } }] }),
      write(2, cells(cell(3, 2, { numberValue: 3 }))),
      write(3, { kind: 'delete', key: 'k1' }),
      write(4, { kind: 'patch', key: 'k2', set: { name: 'Dan', n: '' } }),
    ];
    expect(contentWith(content, writes, 'id').cells).toEqual([
      ['id', 'name', 'n'],
      ['k2', 'Dan'],
      ['k3', 'Cid', 3],
    ]);
  });

  it('keeps what the service has shown and worked out of cells that no write touches', () => {
    expect(contentWith(content, [write(1, cells(cell(1, 1, { stringValue: 'Ann' })))], 'id').cells).toEqual([
      content.cells[0],
      ['k1', 'Ann', { value: 7, shown: '$7' }],
      content.cells[2],
    ]);
  });

  it('makes the grid as large as an append needs', () => {
    const appended = {
      ...cells(cell(5, 0, { stringValue: 'k9' })),
      appends: { startRow: 5, endRow: 6, startColumn: 0, endColumn: 1 },
    };
    const state = sheetCopy({ content, applied: [write(1, appended)] }, undefined, 'id');
    expect([state.properties.gridProperties.rowCount, state.rows[5]]).toEqual([6, [{ userEnteredValue: { stringValue: 'k9' } }]]);
  });

  it('changes nothing for a write that cannot be carried out, or that changes the structure', () => {
    const writes = [
      write(1, cells(cell(99, 0, { stringValue: 'beyond the grid' }))),
      write(2, { kind: 'structure', requests: [{ addSheet: {} }] }),
      write(3, { kind: 'patch', key: 'nobody', set: { name: 'x' } }),
    ];
    expect(contentWith(content, writes, 'id').cells).toEqual(content.cells);
  });
});

import { formatRange, parseRange } from '@app/sheets-wire';
import { placed } from './book-ranges';
import { newSheet } from './defaults';
import { findTable } from './table-finder';
import type { Cell, SheetState } from './state';

/** A sheet in which the cells of these ranges hold something. */
function filled(...ranges: string[]): SheetState {
  const rows: (Cell | undefined)[][] = Array.from({ length: 12 }, () => []);
  const sheet = newSheet(0, 'Sheet1');
  for (const text of ranges) {
    const answer = parseRange(text, { sheets: [placed(sheet, 0)] });
    if (!answer.ok) throw new Error(answer.message);
    const { startRow, endRow, startColumn, endColumn } = answer.range;
    for (let row = startRow; row < endRow; row += 1) {
      for (let column = startColumn; column < endColumn; column += 1)
        rows[row][column] = { userEnteredValue: { stringValue: 'x' } };
    }
  }
  return { ...sheet, rows };
}

function tableOf(sheet: SheetState, text: string): string | undefined {
  const answer = parseRange(text, { sheets: [placed(sheet, 0)] });
  const range = answer.ok ? answer.range : undefined;
  const table = range && findTable(sheet, range);
  return table && formatRange('Sheet1', table).slice('Sheet1!'.length);
}

describe('the table that an append goes below', () => {
  it.each([
    ['Sheet1', 'B4:D6'],
    ['B4', 'B4:D6'],
    ['C5:D5', 'B4:D6'],
    ['B2:D4', 'B4:D6'],
    ['A3:G10', 'B4:D6'],
    ['A1', 'A1:C2'],
    ['E4', undefined],
    ['A4', undefined],
  ])('with tables at A1:C2 and B4:D6, %s means %s', (range, table) => {
    expect(tableOf(filled('A1:C2', 'B4:D6'), range)).toBe(table);
  });

  it('is the right-most of several in the last row', () => {
    const sheet = filled('A1', 'C1');
    expect(tableOf(sheet, 'Sheet1')).toBe('C1');
    expect(tableOf(sheet, 'Sheet1!A1')).toBe('A1');
  });

  it('ends at an empty row, though more follows', () => {
    expect(tableOf(filled('A1:B3', 'A6:B7'), 'A1')).toBe('A1:B3');
  });

  it('includes a column that is filled only above', () => {
    expect(tableOf(filled('A1:D1', 'A2', 'D2'), 'Sheet1')).toBe('A1:D2');
  });
});

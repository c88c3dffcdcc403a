/**
 * Where `values.append` puts its rows. The table is the block of filled cells, bounded by empty rows and columns, that holds
 * the last filled cell of the given range; it may reach beyond the range. No filled cell in the range, no table.
 */
import type { CellArea } from './transaction';
import { isBlank, type SheetState } from './state';

export function findTable(sheet: SheetState, range: CellArea): CellArea | undefined {
  const seed = lastFilledCell(sheet, range);
  return seed && growBlock(sheet, seed);
}

/** The lowest filled row of the range, and in it the right-most filled cell. */
function lastFilledCell(sheet: SheetState, range: CellArea): CellArea | undefined {
  for (let row = Math.min(range.endRow, sheet.rows.length) - 1; row >= range.startRow; row -= 1) {
    const cells = sheet.rows[row];
    if (!cells) continue;
    for (let column = Math.min(range.endColumn, cells.length) - 1; column >= range.startColumn; column -= 1) {
      if (!isBlank(cells[column])) return { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 };
    }
  }
  return undefined;
}

/** Widens the box by a row or column on each side as long as that holds something within the reach of the box. */
function growBlock(sheet: SheetState, seed: CellArea): CellArea {
  let { startRow, endRow, startColumn, endColumn } = seed;
  const columnFilled = (column: number) => {
    if (column < 0) return false;
    for (let row = startRow; row < endRow; row += 1) if (!isBlank(sheet.rows[row]?.[column])) return true;
    return false;
  };
  const rowFilled = (row: number) => {
    const cells = sheet.rows[row];
    if (!cells) return false;
    for (let column = startColumn; column < endColumn; column += 1) if (!isBlank(cells[column])) return true;
    return false;
  };
  for (let grown = true; grown;) {
    grown = false;
    for (; rowFilled(startRow - 1); grown = true) startRow -= 1;
    for (; rowFilled(endRow); grown = true) endRow += 1;
    for (; columnFilled(startColumn - 1); grown = true) startColumn -= 1;
    for (; columnFilled(endColumn); grown = true) endColumn += 1;
  }
  return { startRow, endRow, startColumn, endColumn };
}

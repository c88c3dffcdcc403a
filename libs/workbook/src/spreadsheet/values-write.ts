/** A matrix of values written to a sheet, as the update, append and clear methods do it. */
import {
  columnName,
  formatRange,
  gridLimitsMessage,
  type CellValue,
  type Dimension,
  type ValueInputOption,
} from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import type { BookRange } from './book-ranges';
import type { Cell } from './state';
import type { CellArea, SheetDraft, Transaction } from './transaction';
import { enterValue } from './user-entered';
import { findTable } from './table-finder';

/** By row; null leaves a cell alone. */
export type Matrix = readonly (readonly (CellValue | null)[])[];

export interface Written {
  readonly sheetId: number;
  /** The rectangle of the matrix, the cells left alone included. */
  readonly area: CellArea;
  readonly rows: ReadonlySet<number>;
  readonly columns: ReadonlySet<number>;
  readonly cells: number;
}

/** The values of a body by row, refused where one is not a scalar. */
export function matrixOf(values: readonly (readonly unknown[])[], majorDimension: Dimension): Matrix {
  for (const [index, line] of values.entries()) {
    for (const [place, value] of line.entries()) {
      if (Array.isArray(value)) throw invalid(`Invalid values[${index}][${place}]: list_value {\n}\n`);
      if (value !== null && typeof value === 'object') throw invalid(`Invalid values[${index}][${place}]: struct_value {\n}\n`);
    }
  }
  const lines = values as Matrix;
  if (majorDimension !== 'COLUMNS') return lines;
  const height = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return Array.from({ length: height }, (_, row) => lines.map((line) => line[row] ?? null));
}

export function writeUpdate(transaction: Transaction, range: BookRange, matrix: Matrix, option: ValueInputOption): Written {
  const { startRow, startColumn, sheet } = range;
  const [height, width] = sizeOf(matrix);
  const { asked } = range;
  const isAnchor = asked.endRow === startRow + 1 && asked.endColumn === startColumn + 1;
  if (!isAnchor) {
    const writing = `Requested writing within range [${formatRange(sheet.title, range)}], but tried writing to`;
    if (asked.endRow !== undefined && startRow + height > range.endRow) throw invalid(`${writing} row [${range.endRow + 1}]`);
    if (asked.endColumn !== undefined && startColumn + width > range.endColumn)
      throw invalid(`${writing} column [${columnName(range.endColumn)}]`);
  }
  const area = { startRow, startColumn, endRow: startRow + height, endColumn: startColumn + width };
  if (area.endRow > sheet.rowCount || area.endColumn > sheet.columnCount) throw invalid(gridLimitsMessage(sheet, area));
  return writeMatrix(transaction.sheet(sheet.sheetId), area, matrix, option);
}

export interface Appended {
  /** The table before the write, as a rectangle; absent where there was none. */
  readonly table?: CellArea;
  readonly written: Written;
}

export function writeAppend(
  transaction: Transaction,
  range: BookRange,
  matrix: Matrix,
  option: ValueInputOption,
  insertRows: (sheet: SheetDraft, at: number, count: number) => void,
): Appended {
  const sheet = transaction.sheet(range.sheet.sheetId);
  const table = findTable(sheet, range);
  const [height, width] = sizeOf(matrix);
  const startRow = table?.endRow ?? range.startRow;
  const startColumn = table?.startColumn ?? range.startColumn;
  if (table && startRow < sheet.rowCount) insertRows(sheet, startRow, height);
  const area = { startRow, startColumn, endRow: startRow + height, endColumn: startColumn + width };
  growTo(transaction, sheet, area);
  const written = writeMatrix(sheet, area, matrix, option);
  return table ? { table, written } : { written };
}

/** Values go; formats, notes and validation stay. */
export function clearValues(sheet: SheetDraft, area: CellArea): void {
  const rows = Math.min(area.endRow, sheet.rows.length);
  for (let row = area.startRow; row < rows; row += 1) {
    const columns = Math.min(area.endColumn, sheet.rows[row]?.length ?? 0);
    sheet.mapCells({ ...area, startRow: row, endRow: row + 1, endColumn: columns }, (cell) => cell && withoutValue(cell));
  }
}

export function withoutValue(cell: Cell): Cell | undefined {
  const { userEnteredValue: _value, textFormatRuns: _runs, ...rest } = cell;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

export function growTo(transaction: Transaction, sheet: SheetDraft, area: CellArea): void {
  if (area.endRow <= sheet.rowCount && area.endColumn <= sheet.columnCount) return;
  sheet.resize({ rowCount: Math.max(sheet.rowCount, area.endRow), columnCount: Math.max(sheet.columnCount, area.endColumn) });
  transaction.checkCellCount();
}

function sizeOf(matrix: Matrix): readonly [height: number, width: number] {
  return [matrix.length, matrix.reduce((most, line) => Math.max(most, line.length), 0)];
}

function writeMatrix(sheet: SheetDraft, area: CellArea, matrix: Matrix, option: ValueInputOption): Written {
  const rows = new Set<number>();
  const columns = new Set<number>();
  let cells = 0;
  for (const [index, line] of matrix.entries()) {
    for (const [place, value] of line.entries()) {
      if (value === null || value === undefined) continue;
      const row = area.startRow + index;
      const column = area.startColumn + place;
      sheet.setCell(row, column, entered(sheet.cell(row, column), value, option));
      rows.add(row);
      columns.add(column);
      cells += 1;
    }
  }
  return { sheetId: sheet.sheetId, area, rows, columns, cells };
}

function entered(before: Cell | undefined, input: CellValue, option: ValueInputOption): Cell | undefined {
  const { value, numberFormat } = enterValue(input, option);
  if (value === undefined) return before && withoutValue(before);
  const kept = before && withoutValue(before);
  // A format that was set on purpose outlives what is typed into the cell.
  const implied = numberFormat && kept?.userEnteredFormat?.numberFormat === undefined;
  const format = implied ? { ...kept?.userEnteredFormat, numberFormat } : kept?.userEnteredFormat;
  return { ...kept, userEnteredValue: value, ...(format ? { userEnteredFormat: format } : {}) };
}

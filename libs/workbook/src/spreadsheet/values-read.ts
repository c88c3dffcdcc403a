/** A rectangle of cells as a ValueRange. */
import { formatRange, type CellValue, type Dimension, type ValueRange } from '@app/sheets-wire';
import type { BookRange } from './book-ranges';
import type { CellReader, RenderOptions } from './cell-reader';

export interface ReadOptions extends RenderOptions {
  readonly majorDimension: Dimension;
}

export function readRange(range: BookRange, reader: CellReader, options: ReadOptions): ValueRange {
  const rows = readRows(range, reader, options);
  const values = options.majorDimension === 'COLUMNS' ? transposed(rows) : rows;
  trim(values, (line) => line.length === 0);
  const echo = { range: formatRange(range.sheet.title, range), majorDimension: options.majorDimension };
  return values.length === 0 ? echo : { ...echo, values };
}

function readRows(
  { sheet, startRow, endRow, startColumn, endColumn }: BookRange,
  reader: CellReader,
  options: ReadOptions,
): CellValue[][] {
  const { state } = sheet;
  const rows: CellValue[][] = [];
  for (let row = startRow; row < Math.min(endRow, state.rows.length); row += 1) {
    const cells = state.rows[row];
    const line: CellValue[] = [];
    const end = Math.min(endColumn, cells?.length ?? 0);
    for (let column = startColumn; column < end; column += 1) line.push(reader.render(state, row, column, options));
    trim(line, (value) => value === '');
    rows.push(line);
  }
  return rows;
}

function transposed(rows: readonly (readonly CellValue[])[]): CellValue[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => {
    const line = rows.map((row) => row[column] ?? '');
    trim(line, (value) => value === '');
    return line;
  });
}

function trim<T>(items: T[], isEmpty: (item: T) => boolean): void {
  let length = items.length;
  while (length > 0 && isEmpty(items[length - 1])) length -= 1;
  items.length = length;
}

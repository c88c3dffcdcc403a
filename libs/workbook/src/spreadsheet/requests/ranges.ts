/** Requests that move cells within a sheet: insertRange, deleteRange, sortRange, copyPaste, cutPaste. */
import type { GridCoordinate, GridRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { permutation } from '../anchors';
import { areaOf, dimensionOf, limitsRefusal } from '../areas';
import { CellReader } from '../cell-reader';
import { compareValues } from '../ordering';
import type { Cell, Row } from '../state';
import type { CellArea, SheetDraft, Transaction } from '../transaction';
import { growTo } from '../values-write';
import { NO_REPLY, type RequestHandler } from './handler';

interface ShiftRequest {
  readonly range?: GridRange;
  readonly shiftDimension?: string;
}

export const insertRange: RequestHandler<ShiftRequest> = (transaction, { range, shiftDimension }) => {
  const { sheet, area } = areaOf(transaction, range);
  if (dimensionOf(shiftDimension) === 'ROWS') {
    const height = area.endRow - area.startRow;
    const last = sheet.rows.length;
    if (last > area.startRow) growTo(transaction, sheet, { ...area, endRow: lastFilledRow(sheet, area) + height });
    for (let row = last - 1; row >= area.startRow; row -= 1) copyRow(sheet, row, row + height, area);
    clearArea(sheet, area);
    return NO_REPLY;
  }
  const width = area.endColumn - area.startColumn;
  for (let row = area.startRow; row < Math.min(area.endRow, sheet.rows.length); row += 1) {
    const cells = sheet.writableRow(row);
    while (cells.length < area.startColumn) cells.push(undefined);
    cells.splice(area.startColumn, 0, ...new Array<undefined>(width).fill(undefined));
    growTo(transaction, sheet, { ...area, endColumn: cells.length });
  }
  return NO_REPLY;
};

export const deleteRange: RequestHandler<ShiftRequest> = (transaction, { range, shiftDimension }) => {
  const { sheet, area } = areaOf(transaction, range);
  if (dimensionOf(shiftDimension) === 'ROWS') {
    const height = area.endRow - area.startRow;
    const last = Math.max(sheet.rows.length, area.endRow);
    for (let row = area.startRow; row < last; row += 1) copyRow(sheet, row + height, row, area);
    return NO_REPLY;
  }
  for (let row = area.startRow; row < Math.min(area.endRow, sheet.rows.length); row += 1) {
    sheet.writableRow(row).splice(area.startColumn, area.endColumn - area.startColumn);
  }
  return NO_REPLY;
};

export interface SortSpec {
  /** A column of the sheet, not of the range. */
  readonly dimensionIndex?: number;
  readonly sortOrder?: string;
}

export const sortRange: RequestHandler<{ readonly range?: GridRange; readonly sortSpecs?: readonly SortSpec[] }> = (
  transaction,
  { range, sortSpecs = [] },
) => {
  const { sheet, area } = areaOf(transaction, range);
  if (sortSpecs.length === 0) throw invalid('Must specify at least one sort spec.');
  const reader = new CellReader(transaction.view());
  const end = Math.min(area.endRow, Math.max(sheet.rows.length, area.startRow));
  const rows = Array.from({ length: end - area.startRow }, (_, offset) => {
    const row = area.startRow + offset;
    const keys = sortSpecs.map(({ dimensionIndex = 0 }) => reader.effective(sheet, row, dimensionIndex));
    return { row, keys, cells: cellsOf(sheet.rows[row], area) };
  });
  rows.sort((a, b) => {
    for (const [index, { sortOrder }] of sortSpecs.entries()) {
      const order = compareValues(a.keys[index], b.keys[index], sortOrder === 'DESCENDING');
      if (order !== 0) return order;
    }
    return a.row - b.row;
  });
  const places = new Map<number, number>();
  for (const [offset, { row, cells }] of rows.entries()) {
    places.set(row, area.startRow + offset);
    for (const [place, cell] of cells.entries()) sheet.setCell(area.startRow + offset, area.startColumn + place, cell);
  }
  followSort(transaction, sheet, places);
  return NO_REPLY;
};

interface CopyRequest {
  readonly source?: GridRange;
  readonly destination?: GridRange;
  readonly pasteType?: string;
  readonly pasteOrientation?: string;
}

export const copyPaste: RequestHandler<CopyRequest> = (transaction, { source, destination, pasteType, pasteOrientation }) => {
  const from = areaOf(transaction, source);
  const to = areaOf(transaction, destination);
  const block = transposedIf(pasteOrientation === 'TRANSPOSE', blockOf(from.sheet, from.area));
  const height = block.length;
  const width = block[0]?.length ?? 0;
  // A destination that holds the source several times over is filled with it.
  const times = (room: number, size: number) => (room > size && room % size === 0 ? room / size : 1);
  const down = times(to.area.endRow - to.area.startRow, height);
  const across = times(to.area.endColumn - to.area.startColumn, width);
  for (let tile = 0; tile < down * across; tile += 1) {
    const startRow = to.area.startRow + Math.floor(tile / across) * height;
    paste(to.sheet, startRow, to.area.startColumn + (tile % across) * width, block, pasteType);
  }
  return NO_REPLY;
};

export const cutPaste: RequestHandler<{
  readonly source?: GridRange;
  readonly destination?: GridCoordinate;
  readonly pasteType?: string;
}> = (transaction, { source, destination = {}, pasteType }) => {
  const from = areaOf(transaction, source);
  const to = transaction.sheet(destination.sheetId);
  const block = blockOf(from.sheet, from.area);
  clearArea(from.sheet, from.area);
  paste(to, destination.rowIndex ?? 0, destination.columnIndex ?? 0, block, pasteType);
  return NO_REPLY;
};

type Block = readonly (readonly (Cell | undefined)[])[];

function blockOf(sheet: SheetDraft, area: CellArea): Block {
  return Array.from({ length: area.endRow - area.startRow }, (_, offset) => cellsOf(sheet.rows[area.startRow + offset], area));
}

function cellsOf(row: Row | undefined, area: CellArea): (Cell | undefined)[] {
  return Array.from({ length: area.endColumn - area.startColumn }, (_, offset) => row?.[area.startColumn + offset]);
}

function transposedIf(transpose: boolean, block: Block): Block {
  if (!transpose) return block;
  return Array.from({ length: block[0]?.length ?? 0 }, (_, column) => block.map((row) => row[column]));
}

function paste(sheet: SheetDraft, startRow: number, startColumn: number, block: Block, pasteType: string | undefined): void {
  const area = { startRow, startColumn, endRow: startRow + block.length, endColumn: startColumn + (block[0]?.length ?? 0) };
  if (area.endRow > sheet.rowCount || area.endColumn > sheet.columnCount) throw limitsRefusal(sheet, area);
  sheet.mapCells(area, (before, row, column) => pasted(before, block[row - startRow]?.[column - startColumn], pasteType));
}

const PASTED_FIELDS: Readonly<Record<string, readonly (keyof Cell)[]>> = {
  PASTE_VALUES: ['userEnteredValue'],
  PASTE_FORMULA: ['userEnteredValue'],
  PASTE_FORMAT: ['userEnteredFormat'],
  PASTE_DATA_VALIDATION: ['dataValidation'],
  PASTE_CONDITIONAL_FORMATTING: [],
};

function pasted(before: Cell | undefined, source: Cell | undefined, pasteType: string | undefined): Cell | undefined {
  const fields = PASTED_FIELDS[pasteType ?? ''];
  if (!fields) return source;
  const cell: Record<string, unknown> = { ...before };
  for (const field of fields) {
    if (source?.[field] === undefined) delete cell[field];
    else cell[field] = source[field];
  }
  return Object.keys(cell).length === 0 ? undefined : cell;
}

function copyRow(sheet: SheetDraft, from: number, to: number, area: CellArea): void {
  for (let column = area.startColumn; column < area.endColumn; column += 1) sheet.setCell(to, column, sheet.cell(from, column));
}

function clearArea(sheet: SheetDraft, area: CellArea): void {
  sheet.mapCells({ ...area, endRow: Math.min(area.endRow, sheet.rows.length) }, () => undefined);
}

function lastFilledRow(sheet: SheetDraft, area: CellArea): number {
  for (let row = sheet.rows.length - 1; row >= area.startRow; row -= 1) {
    if (cellsOf(sheet.rows[row], area).some((cell) => cell !== undefined)) return row + 1;
  }
  return area.startRow;
}

/** Metadata of rows goes with its row. */
function followSort(transaction: Transaction, sheet: SheetDraft, places: ReadonlyMap<number, number>): void {
  const edit = permutation((index) => places.get(index) ?? index);
  transaction.metadata = transaction.metadata.map((entry) => {
    const range = entry.location.dimensionRange;
    if (!range || (range.sheetId ?? 0) !== sheet.sheetId || range.dimension !== 'ROWS') return entry;
    const span = edit({ start: range.startIndex ?? 0, end: range.endIndex ?? 0 });
    if (!span) return entry;
    return {
      ...entry,
      location: { ...entry.location, dimensionRange: { ...range, startIndex: span.start, endIndex: span.end } },
    };
  });
}

/** Requests that write cells: appendCells, updateCells, repeatCell. */
import type { AppendCellsRequest, CellData, RepeatCellRequest, UpdateCellsRequest } from '@app/sheets-wire';
import { invalid, notImplemented } from '../../wire/api-error';
import type { MaskNode } from '../../wire/field-mask';
import { areaOf, type Placed } from '../areas';
import { storedFormat } from '../colours';
import { maskedUpdate, requiredMask } from '../masked-update';
import { dataRowCount, type Cell } from '../state';
import type { SheetDraft, Transaction } from '../transaction';
import { checkTextLength } from '../user-entered';
import { growTo } from '../values-write';
import { NO_REPLY, type RequestHandler } from './handler';

export const appendCells: RequestHandler<AppendCellsRequest & { readonly tableId?: string }> = (transaction, request) => {
  if (request.tableId !== undefined) throw notImplemented('appendCells to a table');
  const sheet = transaction.sheet(request.sheetId);
  const mask = cellMask(request.fields);
  const rows = request.rows ?? [];
  const startRow = dataRowCount(sheet);
  growTo(transaction, sheet, { startRow, endRow: startRow + rows.length, startColumn: 0, endColumn: 0 });
  for (const [index, row] of rows.entries()) {
    const cells = row.values ?? [];
    if (cells.length > sheet.columnCount) throw beyondColumn(sheet.columnCount);
    for (const [column, cell] of cells.entries()) writeCell(sheet, startRow + index, column, cell, mask);
  }
  return NO_REPLY;
};

export const updateCells: RequestHandler<UpdateCellsRequest> = (transaction, request) => {
  const mask = cellMask(request.fields);
  const rows = request.rows ?? [];
  if (request.range) {
    const { sheet, area } = areaOf(transaction, request.range);
    if (rows.length > area.endRow - area.startRow) throw beyondRow(area.endRow);
    for (const { values = [] } of rows) if (values.length > area.endColumn - area.startColumn) throw beyondColumn(area.endColumn);
    // What the rows do not reach is cleared like a cell without the field.
    for (let row = area.startRow; row < area.endRow; row += 1) {
      const cells = rows[row - area.startRow]?.values;
      for (let column = area.startColumn; column < area.endColumn; column += 1) {
        writeCell(sheet, row, column, cells?.[column - area.startColumn] ?? {}, mask);
      }
    }
    return NO_REPLY;
  }
  const { sheet, startRow, startColumn } = startOf(transaction, request);
  if (startRow + rows.length > sheet.rowCount) throw beyondRow(sheet.rowCount);
  for (const [index, { values = [] }] of rows.entries()) {
    if (startColumn + values.length > sheet.columnCount) throw beyondColumn(sheet.columnCount);
    for (const [place, cell] of values.entries()) writeCell(sheet, startRow + index, startColumn + place, cell, mask);
  }
  return NO_REPLY;
};

export const repeatCell: RequestHandler<RepeatCellRequest> = (transaction, request) => {
  const mask = cellMask(request.fields);
  const { sheet, area }: Placed = areaOf(transaction, request.range);
  for (let row = area.startRow; row < area.endRow; row += 1) {
    for (let column = area.startColumn; column < area.endColumn; column += 1)
      writeCell(sheet, row, column, request.cell ?? {}, mask);
  }
  return NO_REPLY;
};

const CELL_FIELDS = new Set<string>([
  'userEnteredValue', 'effectiveValue', 'formattedValue', 'userEnteredFormat', 'effectiveFormat', 'hyperlink', 'note', 'textFormatRuns',
  'dataValidation', 'pivotTable', 'dataSourceTable', 'dataSourceFormula', 'chipRuns', '*',
]); // prettier-ignore

function cellMask(fields: string | undefined): MaskNode {
  const mask = requiredMask(fields);
  for (const name of mask.children.keys()) if (!CELL_FIELDS.has(name)) throw invalid(`Invalid field: ${name}`);
  return mask;
}

function startOf(transaction: Transaction, { start }: UpdateCellsRequest) {
  if (!start) throw invalid('One of start or range must be specified.');
  const sheet = transaction.sheet(start.sheetId);
  const { rowIndex: startRow = 0, columnIndex: startColumn = 0 } = start;
  if (startRow >= sheet.rowCount)
    throw invalid(`GridCoordinate.rowIndex[${startRow}] is after last row in grid[${sheet.rowCount}]`);
  if (startColumn >= sheet.columnCount) {
    throw invalid(`GridCoordinate.columnIndex[${startColumn}] is after last column in grid[${sheet.columnCount}]`);
  }
  return { sheet, startRow, startColumn };
}

function writeCell(sheet: SheetDraft, row: number, column: number, given: CellData, mask: MaskNode): void {
  const before = sheet.cell(row, column);
  const after = changedCell(before, given, mask);
  if (after !== before) sheet.setCell(row, column, after);
}

function changedCell(before: Cell | undefined, given: CellData, mask: MaskNode): Cell | undefined {
  const updated = maskedUpdate({ ...before }, { ...given }, mask);
  const cell: Record<string, unknown> = {};
  const value = storedValue(updated['userEnteredValue'] as CellData['userEnteredValue']);
  if (value) cell['userEnteredValue'] = value;
  const format = updated['userEnteredFormat'] as Record<string, unknown> | undefined;
  if (format && Object.keys(format).length > 0)
    cell['userEnteredFormat'] = format === before?.userEnteredFormat ? format : storedFormat(format);
  for (const name of ['note', 'textFormatRuns', 'dataValidation', 'pivotTable'] as const)
    if (updated[name]) cell[name] = updated[name];
  return Object.keys(cell).length === 0 ? undefined : cell;
}

function storedValue(value: CellData['userEnteredValue']): CellData['userEnteredValue'] {
  if (value?.stringValue !== undefined) {
    checkTextLength(value.stringValue);
    return value.stringValue === '' ? undefined : value;
  }
  if (value?.errorValue) throw invalid('userEnteredValue.errorValue cannot be written.');
  return value && Object.keys(value).length > 0 ? value : undefined;
}

function beyondColumn(columnCount: number) {
  return invalid(`Attempting to write column: ${columnCount}, beyond the last requested column of: ${columnCount - 1}`);
}

function beyondRow(rowCount: number) {
  return invalid(`Attempting to write row: ${rowCount}, beyond the last requested row of: ${rowCount - 1}`);
}

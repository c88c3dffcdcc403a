/** Writes of the log, carried out on a sheet cell by cell: what the sheet will look like once they have been sent. */
import type { UpdateCellsRequest } from '@app/sheets-wire';
import { ApiError, deleteSpan, insertSpan, REQUEST_HANDLERS, type Cell, type SheetDraft, type Transaction } from '@app/workbook';
import type { CellsArea, CellScalar, CellsOperation, LoggedWrite, RowsOperation, RowValues } from '@app/write-log';
import { columnsOf, keyText, type Columns } from '../columns';

/**
 * One that cannot be carried out as things stand changes nothing: the drain will set it aside. A change of structure shows once the
 * spreadsheet has been fetched after it.
 */
export function applyWrite(transaction: Transaction, sheetId: number, { operation }: LoggedWrite, keyColumnName: string): void {
  if (operation.kind === 'structure') return;
  if (operation.kind === 'cells') applyRequests(transaction, operation);
  else applyRows(transaction, transaction.sheet(sheetId), operation, keyColumnName);
}

/** One that the service would refuse changes nothing. */
export function applyRequests(
  transaction: Transaction,
  { requests, appends }: Pick<CellsOperation, 'requests' | 'appends'>,
): void {
  for (const request of requests) {
    const [kind, body] = Object.entries(request)[0];
    try {
      if (appends !== undefined) makeRoom(transaction, request, appends);
      REQUEST_HANDLERS[kind](transaction, body as never);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** An append makes the grid as large as it needs. */
function makeRoom(transaction: Transaction, request: CellsOperation['requests'][number], { endRow, endColumn }: CellsArea): void {
  const { start } = (request['updateCells'] ?? {}) as UpdateCellsRequest;
  if (start === undefined) return;
  const sheet = transaction.sheet(start.sheetId);
  const { rowCount, columnCount } = sheet;
  if (rowCount < endRow || columnCount < endColumn)
    sheet.resize({ rowCount: Math.max(rowCount, endRow), columnCount: Math.max(columnCount, endColumn) });
}

function applyRows(transaction: Transaction, sheet: SheetDraft, operation: RowsOperation, keyColumnName: string): void {
  const columns = columnsOf(Array.from(sheet.rows[0] ?? [], scalarOf));
  const keyColumn = columns.byName.get(keyColumnName);
  if (keyColumn === undefined) return;
  if (operation.kind === 'append') {
    for (const { key, values } of operation.rows) {
      if (rowOf(sheet, keyColumn, key) !== undefined) continue;
      setCells(sheet, freeRow(transaction, sheet, keyColumn), columns, values);
    }
    return;
  }
  const row = rowOf(sheet, keyColumn, operation.key);
  if (row === undefined) return;
  if (operation.kind === 'patch') setCells(sheet, row, columns, operation.set);
  else deleteSpan(transaction, sheet, { dimension: 'ROWS', start: row, end: row + 1 });
}

function rowOf(sheet: SheetDraft, keyColumn: number, key: string): number | undefined {
  const found = sheet.rows.findIndex((row, at) => at > 0 && row !== undefined && keyText(scalarOf(row[keyColumn])) === key);
  return found < 0 ? undefined : found;
}

/** The row below the last one with a key; what stands below that makes room. */
function freeRow(transaction: Transaction, sheet: SheetDraft, keyColumn: number): number {
  const isBlank = (row: number): boolean => (sheet.rows[row] ?? []).every((cell) => scalarOf(cell) === '');
  let last = sheet.rows.length - 1;
  while (last > 0 && isBlank(last)) last -= 1;
  let keyed = last;
  while (keyed > 0 && scalarOf(sheet.rows[keyed]?.[keyColumn]) === '') keyed -= 1;
  const row = keyed + 1;
  if (row >= sheet.rowCount) sheet.resize({ rowCount: row + 1 });
  else if (keyed < last) insertSpan(transaction, sheet, { dimension: 'ROWS', start: row, end: row + 1 });
  return row;
}

function setCells(sheet: SheetDraft, row: number, columns: Columns, values: RowValues): void {
  for (const [name, value] of Object.entries(values)) {
    const column = columns.byName.get(name);
    if (column === undefined || value === null) continue;
    const { userEnteredValue: _before, known: _known, ...rest } = sheet.cell(row, column) ?? {};
    sheet.setCell(row, column, value === '' ? rest : { ...rest, userEnteredValue: entered(value) });
  }
}

function entered(value: CellScalar): NonNullable<Cell['userEnteredValue']> {
  if (typeof value === 'number') return { numberValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: value };
}

/** The unformatted value of a cell, blank `""`. */
function scalarOf(cell: Cell | undefined): CellScalar {
  const value =
    cell?.known !== undefined && cell.known.of === cell.userEnteredValue ? cell.known.effective : cell?.userEnteredValue;
  return value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? '';
}

/** Requests that go through the texts of cells: findReplace, trimWhitespace, deleteDuplicates, setDataValidation. */
import type { CellData, DimensionRange, ExtendedValue, GridRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { areaOf, type Placed } from '../areas';
import { CellReader } from '../cell-reader';
import type { Cell } from '../state';
import type { Transaction } from '../transaction';
import { enterValue } from '../user-entered';
import { NO_REPLY, type RequestHandler } from './handler';

interface FindReplaceRequest {
  readonly find?: string;
  readonly replacement?: string;
  readonly matchCase?: boolean;
  readonly matchEntireCell?: boolean;
  readonly searchByRegex?: boolean;
  readonly includeFormulas?: boolean;
  readonly range?: GridRange;
  readonly sheetId?: number;
  readonly allSheets?: boolean;
}

export const findReplace: RequestHandler<FindReplaceRequest> = (transaction, request) => {
  const { replacement = '', includeFormulas = false } = request;
  const pattern = patternOf(request);
  const counts = { valuesChanged: 0, formulasChanged: 0, rowsChanged: 0, sheetsChanged: 0, occurrencesChanged: 0 };
  const rows = new Set<string>();
  const sheets = new Set<number>();
  for (const { sheet, area } of placesOf(transaction, request)) {
    const reader = new CellReader(transaction.view());
    sheet.mapCells({ ...area, endRow: Math.min(area.endRow, sheet.rows.length) }, (cell, row, column) => {
      const entered = cell?.userEnteredValue;
      if (!cell || !entered || (entered.formulaValue !== undefined && !includeFormulas)) return cell;
      const effective = reader.effective(sheet, row, column);
      const text = entered.formulaValue ?? (effective ? reader.formatted(cell, effective) : '');
      const found = text.match(pattern)?.length ?? 0;
      if (found === 0) return cell;
      counts.occurrencesChanged += found;
      if (entered.formulaValue === undefined) counts.valuesChanged += 1;
      else counts.formulasChanged += 1;
      rows.add(`${sheet.sheetId} ${row}`);
      sheets.add(sheet.sheetId);
      return replaced(
        cell,
        request.searchByRegex ? text.replace(pattern, replacement) : text.replace(pattern, () => replacement),
      );
    });
  }
  const all = { ...counts, rowsChanged: rows.size, sheetsChanged: sheets.size };
  return { findReplace: Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0)) };
};

function patternOf({ find = '', matchCase, matchEntireCell, searchByRegex }: FindReplaceRequest): RegExp {
  if (find === '') throw invalid('find must be specified.');
  const source = searchByRegex ? find : find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(matchEntireCell ? `^(?:${source})$` : source, matchCase ? 'g' : 'gi');
  } catch {
    throw invalid(`Invalid regular expression: ${find}`);
  }
}

function placesOf(transaction: Transaction, { range, sheetId, allSheets }: FindReplaceRequest): Placed[] {
  if (range) return [areaOf(transaction, range)];
  if (allSheets) return transaction.sheets.map((sheet) => areaOf(transaction, { sheetId: sheet.properties.sheetId }));
  if (sheetId === undefined) throw invalid('One of range, sheetId or allSheets must be specified.');
  return [areaOf(transaction, { sheetId })];
}

function replaced(cell: Cell, text: string): Cell | undefined {
  const { userEnteredValue: _before, ...rest } = cell;
  const { value } = enterValue(text, 'USER_ENTERED');
  if (value) return { ...rest, userEnteredValue: value };
  return Object.keys(rest).length > 0 ? rest : undefined;
}

export const trimWhitespace: RequestHandler<{ readonly range?: GridRange }> = (transaction, { range }) => {
  const { sheet, area } = areaOf(transaction, range);
  let cellsChangedCount = 0;
  sheet.mapCells({ ...area, endRow: Math.min(area.endRow, sheet.rows.length) }, (cell) => {
    const text = cell?.userEnteredValue?.stringValue;
    const trimmed = text?.trim().replace(/ {2,}/g, ' ');
    if (!cell || trimmed === undefined || trimmed === text) return cell;
    cellsChangedCount += 1;
    return { ...cell, userEnteredValue: { stringValue: trimmed } };
  });
  return { trimWhitespace: cellsChangedCount > 0 ? { cellsChangedCount } : {} };
};

interface DeleteDuplicatesRequest {
  readonly range?: GridRange;
  readonly comparisonColumns?: readonly DimensionRange[];
}

export const deleteDuplicates: RequestHandler<DeleteDuplicatesRequest> = (transaction, { range, comparisonColumns = [] }) => {
  const { sheet, area } = areaOf(transaction, range);
  const reader = new CellReader(transaction.view());
  const isCompared = (column: number) =>
    comparisonColumns.length === 0 ||
    comparisonColumns.some(({ startIndex = 0, endIndex = Infinity }) => column >= startIndex && column < endIndex);
  const seen = new Set<string>();
  const kept: (Cell | undefined)[][] = [];
  const end = Math.min(area.endRow, sheet.rows.length);
  for (let row = area.startRow; row < end; row += 1) {
    const values: (ExtendedValue | undefined)[] = [];
    for (let column = area.startColumn; column < area.endColumn; column += 1)
      if (isCompared(column)) values.push(reader.effective(sheet, row, column));
    const key = JSON.stringify(values.map((value) => value ?? null)).toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(
      Array.from({ length: area.endColumn - area.startColumn }, (_, offset) => sheet.cell(row, area.startColumn + offset)),
    );
  }
  const duplicatesRemovedCount = Math.max(0, end - area.startRow) - kept.length;
  sheet.mapCells(
    { ...area, endRow: Math.max(end, area.startRow) },
    (_cell, row, column) => kept[row - area.startRow]?.[column - area.startColumn],
  );
  return { deleteDuplicates: duplicatesRemovedCount > 0 ? { duplicatesRemovedCount } : {} };
};

interface ValidationRequest {
  readonly range?: GridRange;
  readonly rule?: Readonly<Record<string, unknown>>;
}

export const setDataValidation: RequestHandler<ValidationRequest> = (transaction, { range, rule }) => {
  const { sheet, area } = areaOf(transaction, range);
  const stored = rule && Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== false));
  sheet.mapCells(area, (cell) => {
    const { dataValidation: _before, ...rest }: CellData = cell ?? {};
    const after = stored ? { ...rest, dataValidation: stored } : rest;
    return Object.keys(after).length > 0 ? after : undefined;
  });
  return NO_REPLY;
};

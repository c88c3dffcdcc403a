/** Requests about whole sheets: addSheet, deleteSheet, duplicateSheet, updateSheetProperties, updateSpreadsheetProperties. */
import { COLUMNS_MAX, type SheetProperties } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { withColourPair } from '../colours';
import { DEFAULT_COLUMN_COUNT, DEFAULT_ROW_COUNT, newSheet } from '../defaults';
import { maskedUpdate, namesAll, requiredMask } from '../masked-update';
import { sheetPropertiesAnswer } from '../spreadsheet-answer';
import type { SheetState, StoredSheetProperties } from '../state';
import { deleteSpan } from '../structure';
import type { SheetDraft, Transaction } from '../transaction';
import { NO_REPLY, type RequestHandler } from './handler';

export const addSheet: RequestHandler<{ readonly properties?: Partial<SheetProperties> }> = (
  transaction,
  { properties = {} },
) => {
  const sheet = sheetFrom(transaction, properties);
  const index = Math.min(properties.index ?? transaction.sheets.length, transaction.sheets.length);
  transaction.sheets = transaction.sheets.toSpliced(index, 0, sheet);
  transaction.checkCellCount();
  return { addSheet: { properties: sheetPropertiesAnswer(sheet, index) } };
};

export const deleteSheet: RequestHandler<{ readonly sheetId?: number }> = (transaction, { sheetId = 0 }) => {
  const rest = transaction.sheets.filter((sheet) => sheet.properties.sheetId !== sheetId);
  if (rest.length === transaction.sheets.length) throw invalid(`No sheet with id: ${sheetId}`);
  if (rest.length === 0) throw invalid("You can't remove all the sheets in a document.");
  transaction.sheets = rest;
  transaction.namedRanges = transaction.namedRanges.filter((named) => (named.range.sheetId ?? 0) !== sheetId);
  transaction.metadata = transaction.metadata.filter(({ location }) => {
    const on = location.sheetId ?? (location.dimensionRange ? (location.dimensionRange.sheetId ?? 0) : undefined);
    return on !== sheetId;
  });
  return NO_REPLY;
};

export interface DuplicateSheetRequest {
  readonly sourceSheetId?: number;
  readonly insertSheetIndex?: number;
  readonly newSheetId?: number;
  readonly newSheetName?: string;
}

export const duplicateSheet: RequestHandler<DuplicateSheetRequest> = (transaction, request) => {
  const source = transaction.sheet(request.sourceSheetId);
  const title = request.newSheetName ?? freeTitle(transaction, `Copy of ${source.properties.title}`);
  const { properties } = sheetFrom(transaction, { sheetId: request.newSheetId, title });
  const copy = copiedSheet(source.freeze(), properties.sheetId, title);
  const index = Math.min(request.insertSheetIndex ?? 0, transaction.sheets.length);
  transaction.sheets = transaction.sheets.toSpliced(index, 0, copy);
  transaction.checkCellCount();
  return { duplicateSheet: { properties: sheetPropertiesAnswer(copy, index) } };
};

export function copiedSheet(source: SheetState, sheetId: number, title: string): SheetState {
  const moved = <T extends { readonly sheetId?: number }>(range: T): T => ({ ...range, sheetId });
  return {
    ...source,
    rows: source.rows.slice(),
    properties: { ...source.properties, sheetId, title },
    merges: source.merges.map(moved),
    protectedRanges: [],
    basicFilter: source.basicFilter && {
      ...source.basicFilter,
      range: source.basicFilter.range && moved(source.basicFilter.range),
    },
  };
}

export const updateSheetProperties: RequestHandler<{
  readonly properties?: Partial<SheetProperties>;
  readonly fields?: string;
}> = (transaction, { properties = {}, fields }) => {
  const mask = requiredMask(fields, 'properties');
  const sheet = transaction.sheet(properties.sheetId);
  const named = (name: string) => namesAll(mask) || mask.children.has(name);
  const before = sheet.properties;
  const updated = maskedUpdate({ ...before }, { ...properties, sheetId: before.sheetId, sheetType: before.sheetType }, mask);
  delete updated['index'];
  if (named('title')) checkTitle(transaction, properties.title ?? '', sheet.sheetId);
  if (named('hidden') && properties.hidden) checkSomeVisible(transaction, sheet);
  const coloured = named('tabColorStyle') || named('tabColor') ? tabColoured(updated, named('tabColorStyle')) : updated;
  const grid = coloured['gridProperties'] as StoredSheetProperties['gridProperties'] | undefined;
  const size = {
    rowCount: grid?.rowCount ?? before.gridProperties.rowCount,
    columnCount: grid?.columnCount ?? before.gridProperties.columnCount,
  };
  resizeGrid(transaction, sheet, size);
  sheet.properties = { ...coloured, gridProperties: { ...grid, ...size } } as unknown as StoredSheetProperties;
  if (named('index') && properties.index !== undefined) moveSheet(transaction, sheet, properties.index);
  return NO_REPLY;
};

export const updateSpreadsheetProperties: RequestHandler<{ readonly properties?: object; readonly fields?: string }> = (
  transaction,
  { properties = {}, fields },
) => {
  const mask = requiredMask(fields, 'properties');
  const updated = maskedUpdate({ ...transaction.properties }, { ...properties }, mask);
  transaction.properties = { ...transaction.properties, ...updated };
  return NO_REPLY;
};

/** A new sheet from the properties that a request gives, checked against the spreadsheet. */
export function sheetFrom(transaction: Transaction, given: Partial<SheetProperties>): SheetState {
  const isUsed = (id: number) => transaction.sheets.some((sheet) => sheet.properties.sheetId === id);
  if (given.sheetId !== undefined && given.sheetId < 0) throw invalid(`Invalid sheet id: ${given.sheetId}`);
  if (given.sheetId !== undefined && isUsed(given.sheetId)) throw invalid(`Sheet with id ${given.sheetId} already exists`);
  const title = given.title ?? freeTitle(transaction, `Sheet${transaction.sheets.length + 1}`);
  checkTitle(transaction, title);
  const { rowCount, columnCount, ...grid } = given.gridProperties ?? {};
  const size = { rowCount: rowCount || DEFAULT_ROW_COUNT, columnCount: columnCount || DEFAULT_COLUMN_COUNT };
  checkColumnCount(size.columnCount);
  const sheet = newSheet(given.sheetId ?? transaction.newId(isUsed), title, size);
  const { hidden, tabColor, tabColorStyle, rightToLeft } = given;
  const extra = tabColoured(
    { ...(hidden ? { hidden } : {}), ...(rightToLeft ? { rightToLeft } : {}), tabColor, tabColorStyle },
    tabColorStyle !== undefined,
  );
  const properties = { ...sheet.properties, ...extra, gridProperties: { ...size, ...grid } };
  return { ...sheet, properties: properties };
}

function tabColoured(properties: Record<string, unknown>, byStyle: boolean): Record<string, unknown> {
  const { tabColor, tabColorStyle, ...rest } = properties;
  const pair = withColourPair(byStyle ? { tabColorStyle: tabColorStyle ?? {} } : { tabColor }, 'tabColor');
  return { ...rest, ...pair };
}

function resizeGrid(
  transaction: Transaction,
  sheet: SheetDraft,
  { rowCount, columnCount }: { rowCount: number; columnCount: number },
): void {
  if (rowCount < 1 || columnCount < 1)
    throw invalid(`You can't delete all the ${rowCount < 1 ? 'rows' : 'columns'} on the sheet.`);
  checkColumnCount(columnCount);
  if (rowCount < sheet.rowCount) deleteSpan(transaction, sheet, { dimension: 'ROWS', start: rowCount, end: sheet.rowCount });
  if (columnCount < sheet.columnCount)
    deleteSpan(transaction, sheet, { dimension: 'COLUMNS', start: columnCount, end: sheet.columnCount });
  sheet.resize({ rowCount, columnCount });
  transaction.checkCellCount();
}

export function checkColumnCount(columnCount: number): void {
  if (columnCount > COLUMNS_MAX) {
    throw invalid(`This action would increase the number of columns in the sheet above the limit of ${COLUMNS_MAX} columns`);
  }
}

/** `index` is a position before the move. */
function moveSheet(transaction: Transaction, sheet: SheetDraft, index: number): void {
  const from = transaction.sheets.findIndex((one) => one.properties.sheetId === sheet.sheetId);
  const to = Math.min(index > from ? index - 1 : index, transaction.sheets.length - 1);
  const rest = transaction.sheets.toSpliced(from, 1);
  transaction.sheets = rest.toSpliced(to, 0, sheet);
}

function checkTitle(transaction: Transaction, title: string, ownId?: number): void {
  if (title === '') throw invalid('The name of a sheet cannot be empty.');
  const taken = transaction.sheets.some(
    ({ properties }) => properties.sheetId !== ownId && properties.title.toLowerCase() === title.toLowerCase(),
  );
  if (taken) throw invalid(`A sheet with the name "${title}" already exists. Please enter another name.`);
}

function checkSomeVisible(transaction: Transaction, hiding: SheetDraft): void {
  const others = transaction.sheets.some(({ properties }) => properties.sheetId !== hiding.sheetId && !properties.hidden);
  if (!others) throw invalid("You can't hide all the sheets in a document.");
}

function freeTitle(transaction: Transaction, wanted: string): string {
  const isTaken = (title: string) =>
    transaction.sheets.some((sheet) => sheet.properties.title.toLowerCase() === title.toLowerCase());
  if (!isTaken(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const title = /\d+$/.test(wanted)
      ? wanted.replace(/\d+$/, String(Number(/\d+$/.exec(wanted)![0]) + number - 1))
      : `${wanted} ${number}`;
    if (!isTaken(title)) return title;
  }
}

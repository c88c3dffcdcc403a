import { formatRange, type UpdateValuesResponse, type ValueRange } from '@app/sheets-wire';
import { placed, rangeIn, type BookRange } from '../../spreadsheet/book-ranges';
import { CellReader } from '../../spreadsheet/cell-reader';
import { insertSpan } from '../../spreadsheet/structure';
import type { CellArea, Transaction } from '../../spreadsheet/transaction';
import { readRange, type ReadOptions } from '../../spreadsheet/values-read';
import { clearValues, matrixOf, writeAppend, writeUpdate, type Written } from '../../spreadsheet/values-write';
import type { Answer, Call } from '../call';
import { inputOption, majorDimensionOf, responseOptions } from '../render-options';
import { ApiError, invalid } from '../../wire/api-error';

export function updateValues(call: Call): Answer {
  const option = inputOption(call.query);
  const body = call.body as ValueRange;
  checkSameRange(call.range, body.range);
  const majorDimension = majorDimensionOf(body.majorDimension);
  return call.edit((transaction) => {
    const range = rangeIn(transaction.view(), call.range);
    const written = writeUpdate(transaction, range, matrixOf(body.values ?? [], majorDimension), option);
    return {
      spreadsheetId: call.spreadsheetId,
      ...updateAnswer(transaction, written, responseOptions(call.query, majorDimension)),
    };
  });
}

export function appendValues(call: Call): Answer {
  const option = inputOption(call.query);
  const body = call.body as ValueRange;
  checkSameRange(call.range, body.range);
  const majorDimension = majorDimensionOf(body.majorDimension);
  const insertsRows = call.query['insertDataOption'] === 'INSERT_ROWS';
  const { spreadsheetId } = call;
  return call.edit((transaction) => {
    const range = rangeIn(transaction.view(), call.range);
    const { table, written } = writeAppend(
      transaction,
      range,
      matrixOf(body.values ?? [], majorDimension),
      option,
      (sheet, at, count) => {
        if (insertsRows && count > 0) insertSpan(transaction, sheet, { dimension: 'ROWS', start: at, end: at + count });
      },
    );
    const updates = { spreadsheetId, ...updateAnswer(transaction, written, responseOptions(call.query, majorDimension)) };
    return { spreadsheetId, ...(table ? { tableRange: formatRange(range.sheet.title, table) } : {}), updates };
  });
}

export function batchUpdateValues(call: Call): Answer {
  const option = inputOption(call.body);
  const data = (call.body['data'] as ValueRange[] | undefined) ?? [];
  const { spreadsheetId } = call;
  return call.edit((transaction) => {
    const all: Written[] = [];
    const responses = data.map((part, index) =>
      inPart(`Invalid data[${index}]`, () => {
        const majorDimension = majorDimensionOf(part.majorDimension);
        const range = rangeIn(transaction.view(), part.range ?? '');
        const written = writeUpdate(transaction, range, matrixOf(part.values ?? [], majorDimension), option);
        all.push(written);
        return { spreadsheetId, written, options: responseOptions(call.body, majorDimension) };
      }),
    );
    const answers = responses.map(({ written, options }) => ({ spreadsheetId, ...updateAnswer(transaction, written, options) }));
    return { spreadsheetId, ...totals(all), ...(answers.length > 0 ? { responses: answers } : {}) };
  });
}

export function clearRange(call: Call): Answer {
  return call.edit((transaction) => {
    const range = rangeIn(transaction.view(), call.range);
    clearValues(transaction.sheet(range.sheet.sheetId), range);
    return { spreadsheetId: call.spreadsheetId, clearedRange: formatRange(range.sheet.title, range) };
  });
}

export function batchClearRanges(call: Call): Answer {
  const texts = (call.body['ranges'] as string[] | undefined) ?? [];
  return call.edit((transaction) => {
    const book = transaction.view();
    const ranges = texts.map((text, index) => inPart(`Invalid range[${index}]`, () => rangeIn(book, text)));
    for (const range of ranges) clearValues(transaction.sheet(range.sheet.sheetId), range);
    const clearedRanges = ranges.map((range) => formatRange(range.sheet.title, range));
    return { spreadsheetId: call.spreadsheetId, ...(clearedRanges.length > 0 ? { clearedRanges } : {}) };
  });
}

/** What a write says of itself: the rectangle, and counts of what really got a value. */
export function updateAnswer(
  transaction: Transaction,
  written: Written,
  read: ReadOptions | undefined,
): Omit<UpdateValuesResponse, 'spreadsheetId'> {
  const range = writtenRange(transaction, written);
  return {
    updatedRange: formatRange(range.sheet.title, range),
    ...nonZero({ updatedRows: written.rows.size, updatedColumns: written.columns.size, updatedCells: written.cells }),
    ...(read ? { updatedData: readRange(range, new CellReader(transaction.view()), read) } : {}),
  };
}

export function totals(all: readonly Written[]): Record<string, number> {
  const distinct = (lines: (written: Written) => ReadonlySet<number>) =>
    new Set(all.flatMap((written) => [...lines(written)].map((line) => `${written.sheetId} ${line}`))).size;
  return nonZero({
    totalUpdatedRows: distinct((written) => written.rows),
    totalUpdatedColumns: distinct((written) => written.columns),
    totalUpdatedCells: all.reduce((sum, written) => sum + written.cells, 0),
    totalUpdatedSheets: new Set(all.filter((written) => written.cells > 0).map((written) => written.sheetId)).size,
  });
}

/** Runs one part of a batch; a refusal names the part. */
export function inPart<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ApiError ? error.in(prefix) : error;
  }
}

function writtenRange(transaction: Transaction, { sheetId, area }: Written): BookRange {
  const index = transaction.sheets.findIndex((sheet) => sheet.properties.sheetId === sheetId);
  return { sheet: placed(transaction.sheets[index], index), asked: area, ...atLeastOneCell(area) };
}

/** A matrix without a cell is echoed as the cell at which it would have begun. */
function atLeastOneCell({ startRow, endRow, startColumn, endColumn }: CellArea): CellArea {
  return { startRow, startColumn, endRow: Math.max(endRow, startRow + 1), endColumn: Math.max(endColumn, startColumn + 1) };
}

function nonZero(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function checkSameRange(url: string, body: string | undefined): void {
  if (body !== undefined && body !== '' && body !== url)
    throw invalid(`Request range[${url}] does not match value's range[${body}]`);
}

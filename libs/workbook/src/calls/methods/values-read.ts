import { rangeIn } from '../../spreadsheet/book-ranges';
import { CellReader } from '../../spreadsheet/cell-reader';
import { readRange } from '../../spreadsheet/values-read';
import type { Answer, Call } from '../call';
import { readOptions } from '../render-options';

export function getValues(call: Call): Answer {
  const book = call.book();
  return { ...readRange(rangeIn(book, call.range), new CellReader(book), readOptions(call.query)) };
}

export function batchGetValues(call: Call): Answer {
  const book = call.book();
  const reader = new CellReader(book);
  const options = readOptions(call.query);
  const ranges = ((call.query['ranges'] as string[] | undefined) ?? []).map((text) => rangeIn(book, text));
  const valueRanges = ranges.map((range) => readRange(range, reader, options));
  return { spreadsheetId: book.spreadsheetId, ...(valueRanges.length > 0 ? { valueRanges } : {}) };
}

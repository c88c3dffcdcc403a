/** A spreadsheet as the reader of ranges sees it. */
import { parseRange, type RangeSheet, type RangeWorkbook, type ResolvedRange } from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import type { SheetState, WorkbookState } from './state';

export interface PlacedSheet extends RangeSheet {
  readonly index: number;
  readonly state: SheetState;
}

export type BookRange = ResolvedRange<PlacedSheet>;

export function rangesOf(book: WorkbookState): RangeWorkbook<PlacedSheet> {
  const sheets = book.sheets.map((state, index) => placed(state, index));
  return { sheets, namedRanges: book.namedRanges };
}

export function placed(state: SheetState, index: number): PlacedSheet {
  const { sheetId, title, gridProperties } = state.properties;
  return { sheetId, title, rowCount: gridProperties.rowCount, columnCount: gridProperties.columnCount, index, state };
}

export function rangeIn(book: WorkbookState, text: string): BookRange {
  const answer = parseRange(text, rangesOf(book));
  if (!answer.ok) throw invalid(answer.message);
  return answer.range;
}

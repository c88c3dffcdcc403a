/** The rectangles that data filters select, and the filters as an answer repeats them. */
import { rectangleOf, resolveRectangle, type DataFilter, type GridRange } from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import { withoutZeroSheet } from './answer-shapes';
import { checkIndexes } from './areas';
import { placed, rangeIn, type BookRange } from './book-ranges';
import { selectMetadata } from './metadata-lookup';
import type { StoredMetadata, WorkbookState } from './state';

export interface Selected {
  readonly range: BookRange;
  /** A range of no cells: it is answered as `#REF!`. */
  readonly empty: boolean;
}

/** `unknownSheet` words the refusal, which differs between the methods. */
export function selectRanges(book: WorkbookState, filter: DataFilter, unknownSheet: (sheetId: number) => string): Selected[] {
  if (filter.a1Range !== undefined) return [{ range: rangeIn(book, filter.a1Range), empty: false }];
  if (filter.gridRange !== undefined) return [gridSelection(book, filter.gridRange, unknownSheet)];
  if (filter.developerMetadataLookup === undefined) throw invalid('dataFilter.filter must be specified.');
  return selectMetadata(book.metadata, filter).flatMap((entry) => {
    const range = rangeOfEntry(entry);
    return range ? [gridSelection(book, range, unknownSheet)] : [];
  });
}

export function echoedFilter(filter: DataFilter): DataFilter {
  return filter.gridRange ? { gridRange: withoutZeroSheet(filter.gridRange) } : filter;
}

/** Tells rectangles apart: filters that select the same one are answered together. */
export function placeKey({ range, empty }: Selected): string {
  return empty ? '#REF!' : [range.sheet.sheetId, range.startRow, range.endRow, range.startColumn, range.endColumn].join(' ');
}

function gridSelection(book: WorkbookState, grid: GridRange, unknownSheet: (sheetId: number) => string): Selected {
  const sheetId = grid.sheetId ?? 0;
  const index = book.sheets.findIndex((sheet) => sheet.properties.sheetId === sheetId);
  const state = book.sheets[index];
  if (!state) throw invalid(unknownSheet(sheetId));
  checkIndexes(grid);
  const answer = resolveRectangle(placed(state, index), rectangleOf(grid));
  if (!answer.ok) throw invalid(answer.message);
  const { range } = answer;
  return { range, empty: range.startRow >= range.endRow || range.startColumn >= range.endColumn };
}

/** The cells that an entry is tied to; one of the whole spreadsheet selects none. */
function rangeOfEntry({ location }: StoredMetadata): GridRange | undefined {
  if (location.sheetId !== undefined) return { sheetId: location.sheetId };
  const range = location.dimensionRange;
  if (!range) return undefined;
  const { sheetId, startIndex, endIndex } = range;
  if (range.dimension === 'ROWS') return { sheetId, startRowIndex: startIndex, endRowIndex: endIndex };
  return { sheetId, startColumnIndex: startIndex, endColumnIndex: endIndex };
}

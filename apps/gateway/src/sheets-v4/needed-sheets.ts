/** Which sheets' cells a call needs, found from the texts of its ranges and filters before any cell has been read. */
import type { SheetsNeeded } from '@app/sheet-view';
import type { DataFilter } from '@app/sheets-wire';
import { ApiError, maskNames, rangeIn, selectMetadata, type ParsedCall, type Route, type WorkbookState } from '@app/workbook';

/** Whether the answer holds `CellData`, with formats and sizes that no copy keeps. */
export function wantsGridData({ method }: Route, { query, body, mask }: ParsedCall): boolean {
  if (!('includeGridData' in { ...method.query, ...method.body?.fields })) return false;
  if (mask !== undefined) return maskNames(mask, 'sheets', 'data');
  return query['includeGridData'] === true || body['includeGridData'] === true;
}

export function neededSheets(route: Route, parsed: ParsedCall): SheetsNeeded {
  const { key } = route.method;
  const { query, body, range } = parsed;
  if (key.includes('developerMetadata')) return () => [];
  if (key.includes('ByDataFilter')) {
    if (key === 'POST ID:getByDataFilter' && !wantsGridData(route, parsed)) return () => [];
    const data = (body['data'] as { dataFilter?: DataFilter }[] | undefined)?.map(({ dataFilter }) => dataFilter ?? {});
    return (book) => sheetsOfFilters(book, (body['dataFilters'] as DataFilter[] | undefined) ?? data ?? []);
  }
  if (key === 'GET ID') {
    if (!wantsGridData(route, parsed)) return () => [];
    const ranges = (query['ranges'] as string[] | undefined) ?? [];
    return (book) => (ranges.length === 0 ? allSheets(book) : sheetsOfRanges(book, ranges));
  }
  if (key === 'POST ID:batchUpdate') {
    const ids = ((body['requests'] as Request[] | undefined) ?? []).map(sheetIdOf);
    const shown = body['responseIncludeGridData'] === true ? ((body['responseRanges'] as string[] | undefined) ?? []) : [];
    return (book) => {
      const more = body['responseIncludeGridData'] === true && shown.length === 0 ? allSheets(book) : sheetsOfRanges(book, shown);
      return (
        more && [...new Set([...ids, ...more])].filter((id) => book.sheets.some(({ properties }) => properties.sheetId === id))
      );
    };
  }
  if (key.startsWith('POST ID/sheets')) return () => [parsed.sheetId];
  const data = body['data'] as { range?: string }[] | undefined;
  const texts = (query['ranges'] ?? body['ranges']) as string[] | undefined;
  return (book) => sheetsOfRanges(book, texts ?? data?.map((one) => one.range ?? '') ?? [range]);
}

type Request = Readonly<Record<string, unknown>>;

interface Positioned {
  readonly sheetId?: number;
  readonly start?: { readonly sheetId?: number };
  readonly range?: { readonly sheetId?: number };
}

/** The sheet that a request of `spreadsheets.batchUpdate` works on; an absent id is 0. */
export function sheetIdOf(request: Request): number {
  const { sheetId, start, range } = (Object.values(request)[0] ?? {}) as Positioned;
  return sheetId ?? start?.sheetId ?? range?.sheetId ?? 0;
}

function allSheets(book: WorkbookState): number[] {
  return book.sheets
    .filter(({ properties }) => (properties.sheetType ?? 'GRID') === 'GRID')
    .map(({ properties }) => properties.sheetId);
}

/** Undefined where one of them names nothing that is known. */
function sheetsOfRanges(book: WorkbookState, ranges: readonly string[]): number[] | undefined {
  return unlessUnknown(() => ranges.map((text) => rangeIn(book, text).sheet.sheetId));
}

function sheetsOfFilters(book: WorkbookState, filters: readonly DataFilter[]): number[] | undefined {
  if (filters.length === 0) return allSheets(book);
  return unlessUnknown(() =>
    filters.flatMap((filter) => {
      if (filter.a1Range !== undefined) return [rangeIn(book, filter.a1Range).sheet.sheetId];
      if (filter.gridRange !== undefined) return [filter.gridRange.sheetId ?? 0];
      return selectMetadata(book.metadata, filter).map(
        ({ location }) => location.sheetId ?? location.dimensionRange?.sheetId ?? 0,
      );
    }),
  );
}

function unlessUnknown(find: () => number[]): number[] | undefined {
  try {
    return [...new Set(find())];
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

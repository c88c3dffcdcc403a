/**
 * A copy of a spreadsheet that another service keeps, made from its own answers: `spreadsheets.get` without grid data gives the
 * spreadsheet and its sheets, and whoever has the cells puts them in.
 */
import type { DeveloperMetadata, GridRange, NamedRange, SheetProperties } from '@app/sheets-wire';
import { newSheet, newWorkbook } from './defaults';
import type { DimensionGroup, ProtectedRange, Row, SheetState, StoredMetadata, WorkbookState } from './state';

/** One of `sheets` in an answer of `spreadsheets.get`. */
export interface AnsweredSheet {
  readonly properties: Partial<SheetProperties>;
  readonly data?: unknown;
  readonly merges?: readonly GridRange[];
  readonly protectedRanges?: readonly ProtectedRange[];
  readonly basicFilter?: SheetState['basicFilter'];
  readonly rowGroups?: readonly DimensionGroup[];
  readonly columnGroups?: readonly DimensionGroup[];
  readonly developerMetadata?: readonly DeveloperMetadata[];
  readonly [part: string]: unknown;
}

/** An answer of `spreadsheets.get`. */
export interface AnsweredSpreadsheet {
  readonly spreadsheetId?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly sheets?: readonly AnsweredSheet[];
  readonly namedRanges?: readonly NamedRange[];
  readonly developerMetadata?: readonly DeveloperMetadata[];
  readonly spreadsheetUrl?: unknown;
  readonly [part: string]: unknown;
}

/** @param sheets with their cells, in the order of the tabs */
export function copiedWorkbook(
  spreadsheetId: string,
  {
    spreadsheetId: _id,
    properties,
    sheets: _sheets,
    namedRanges = [],
    developerMetadata = [],
    spreadsheetUrl: _url,
    ...others
  }: AnsweredSpreadsheet,
  sheets: readonly SheetState[],
): WorkbookState {
  const base = newWorkbook(spreadsheetId, '', sheets);
  const ofSheets = sheets.flatMap((sheet) => (sheet.others?.['developerMetadata'] as DeveloperMetadata[] | undefined) ?? []);
  return {
    ...base,
    properties: properties === undefined ? base.properties : ({ ...properties } as WorkbookState['properties']),
    sheets: sheets.map(withoutCopiedMetadata),
    namedRanges: namedRanges.map((named) => ({ ...named, range: { ...named.range, sheetId: named.range.sheetId ?? 0 } })),
    metadata: [...developerMetadata, ...ofSheets].map(storedMetadata),
    ...(Object.keys(others).length > 0 ? { others } : {}),
  };
}

/** @param rows the cells, from the first row on; see `copiedWorkbook` for what becomes of the sheet's metadata */
export function copiedSheetState(
  {
    properties,
    data: _data,
    merges = [],
    protectedRanges = [],
    basicFilter,
    rowGroups = [],
    columnGroups = [],
    ...others
  }: AnsweredSheet,
  rows: readonly (Row | undefined)[],
): SheetState {
  const { sheetId = 0, title = '', index: _index, gridProperties, ...rest } = properties;
  const fresh = newSheet(sheetId, title, {
    rowCount: gridProperties?.rowCount ?? 0,
    columnCount: gridProperties?.columnCount ?? 0,
  });
  const onSheet = <T extends { readonly range?: GridRange }>(one: T): T =>
    one.range === undefined ? one : { ...one, range: { ...one.range, sheetId } };
  return {
    ...fresh,
    properties: { ...fresh.properties, ...rest, gridProperties: { ...gridProperties, ...fresh.properties.gridProperties } },
    rows,
    merges: merges.map((merge) => ({ ...merge, sheetId })),
    protectedRanges: protectedRanges.map(onSheet),
    ...(basicFilter === undefined ? {} : { basicFilter: onSheet(basicFilter) }),
    rowGroups: rowGroups.map(withoutSheetId),
    columnGroups: columnGroups.map(withoutSheetId),
    ...(Object.keys(others).length > 0 ? { others } : {}),
  };
}

function withoutSheetId(group: DimensionGroup): DimensionGroup {
  const { dimension, startIndex, endIndex } = group.range;
  return { ...group, range: { dimension, startIndex, endIndex } };
}

function withoutCopiedMetadata(sheet: SheetState): SheetState {
  if (sheet.others?.['developerMetadata'] === undefined) return sheet;
  const { developerMetadata: _entries, ...others } = sheet.others;
  const { others: _others, ...rest } = sheet;
  return Object.keys(others).length > 0 ? { ...rest, others } : rest;
}

function storedMetadata(entry: DeveloperMetadata): StoredMetadata {
  return {
    ...entry,
    metadataId: entry.metadataId ?? 0,
    location: entry.location ?? { locationType: 'SPREADSHEET', spreadsheet: true },
    visibility: entry.visibility ?? 'DOCUMENT',
  };
}

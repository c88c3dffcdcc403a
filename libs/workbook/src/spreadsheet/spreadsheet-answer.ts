/** A spreadsheet as the get methods answer it: properties, sheets, and cells where they are asked for. */
import type { CellData, DeveloperMetadata, ExtendedValue } from '@app/sheets-wire';
import { withoutZeroSheet } from './answer-shapes';
import type { BookRange } from './book-ranges';
import { placed } from './book-ranges';
import { CellReader } from './cell-reader';
import { DEFAULT_CELL_FORMAT } from './defaults';
import type { Cell, DimensionState, SheetState, StoredMetadata, WorkbookState } from './state';

export interface SpreadsheetView {
  /** Only sheets that these touch, each with a block of cells per range; absent means all. */
  readonly ranges?: readonly BookRange[];
  readonly includeGridData: boolean;
  /** Names of the cell fields that will be kept, so that the others need not be worked out; absent means all. */
  readonly cellFields?: ReadonlySet<string>;
  /** Leaves out the sizes of rows and columns. */
  readonly withoutDimensions?: boolean;
}

const ROW_PIXELS = 21;
const COLUMN_PIXELS = 100;

export function spreadsheetAnswer(book: WorkbookState, view: SpreadsheetView): Record<string, unknown> {
  const reader = new CellReader(book);
  const sheets = book.sheets.flatMap((sheet, index) => {
    const ranges = view.ranges?.filter((range) => range.sheet.sheetId === sheet.properties.sheetId);
    if (ranges && ranges.length === 0) return [];
    return sheetAnswer(book, sheet, index, view, ranges, reader);
  });
  const named = book.namedRanges.map((one) => ({ ...one, range: withoutZeroSheet(one.range) }));
  const metadata = book.metadata.filter((entry) => entry.location.spreadsheet === true);
  return {
    spreadsheetId: book.spreadsheetId,
    properties: book.properties,
    sheets,
    ...(named.length > 0 ? { namedRanges: named } : {}),
    spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${book.spreadsheetId}/edit`,
    ...(metadata.length > 0 ? { developerMetadata: metadata.map(metadataAnswer) } : {}),
    ...book.others,
  };
}

export function sheetPropertiesAnswer(sheet: SheetState, index: number): Record<string, unknown> {
  const { sheetId, title, sheetType, gridProperties, hidden, tabColor, rightToLeft, tabColorStyle, ...rest } = sheet.properties;
  return {
    sheetId,
    title,
    index,
    sheetType,
    gridProperties: withoutDefaults(gridProperties),
    ...(hidden ? { hidden } : {}),
    ...(tabColor ? { tabColor } : {}),
    ...(rightToLeft ? { rightToLeft } : {}),
    ...(tabColorStyle ? { tabColorStyle } : {}),
    ...rest,
  };
}

export function metadataAnswer(entry: StoredMetadata): DeveloperMetadata {
  const { metadataId, metadataKey, metadataValue, location, visibility } = entry;
  const range = location.dimensionRange && { dimensionRange: withoutZeroSheet(location.dimensionRange) };
  return {
    metadataId,
    ...(metadataKey ? { metadataKey } : {}),
    ...(metadataValue ? { metadataValue } : {}),
    location: { ...location, ...range },
    visibility,
  };
}

function sheetAnswer(
  book: WorkbookState,
  sheet: SheetState,
  index: number,
  view: SpreadsheetView,
  ranges: readonly BookRange[] | undefined,
  reader: CellReader,
): Record<string, unknown> {
  const { merges, protectedRanges, basicFilter, rowGroups, columnGroups } = sheet;
  const metadata = book.metadata.filter((entry) => entry.location.sheetId === sheet.properties.sheetId);
  const blocks = view.includeGridData ? (ranges ?? [wholeGrid(sheet, index)]) : undefined;
  const filled = <T>(name: string, items: readonly T[]) => (items.length > 0 ? { [name]: items } : {});
  return {
    properties: sheetPropertiesAnswer(sheet, index),
    ...(blocks ? { data: blocks.map((block) => gridData(book, block, reader, view)) } : {}),
    ...filled('merges', merges.map(withoutZeroSheet)),
    ...filled(
      'protectedRanges',
      protectedRanges.map((one) => ({ ...one, ...(one.range ? { range: withoutZeroSheet(one.range) } : {}) })),
    ),
    ...(basicFilter
      ? { basicFilter: { ...basicFilter, ...(basicFilter.range ? { range: withoutZeroSheet(basicFilter.range) } : {}) } }
      : {}),
    ...filled('developerMetadata', metadata.map(metadataAnswer)),
    ...filled(
      'rowGroups',
      rowGroups.map((group) => ofSheet(group, sheet)),
    ),
    ...filled(
      'columnGroups',
      columnGroups.map((group) => ofSheet(group, sheet)),
    ),
    ...sheet.others,
  };
}

function ofSheet(group: SheetState['rowGroups'][number], sheet: SheetState): unknown {
  const { sheetId } = sheet.properties;
  return { ...group, range: { ...(sheetId === 0 ? {} : { sheetId }), ...group.range } };
}

function wholeGrid(sheet: SheetState, index: number): BookRange {
  const { rowCount: endRow, columnCount: endColumn } = sheet.properties.gridProperties;
  return { sheet: placed(sheet, index), asked: {}, startRow: 0, endRow, startColumn: 0, endColumn };
}

function gridData(book: WorkbookState, block: BookRange, reader: CellReader, view: SpreadsheetView): Record<string, unknown> {
  const { state } = block.sheet;
  const rows = view.cellFields?.size === 0 ? [] : rowsOf(block, reader, view.cellFields);
  const sizes = () => ({
    rowMetadata: dimensions(book, block, 'ROWS', state.rowStates, block.startRow, block.endRow),
    columnMetadata: dimensions(book, block, 'COLUMNS', state.columnStates, block.startColumn, block.endColumn),
  });
  return {
    ...(block.startRow > 0 ? { startRow: block.startRow } : {}),
    ...(block.startColumn > 0 ? { startColumn: block.startColumn } : {}),
    ...(rows.length > 0 ? { rowData: rows } : {}),
    ...(view.withoutDimensions ? {} : sizes()),
  };
}

function rowsOf(block: BookRange, reader: CellReader, cellFields: ReadonlySet<string> | undefined): { values?: CellData[] }[] {
  const { state } = block.sheet;
  const rows: { values?: CellData[] }[] = [];
  let length = 0;
  for (let row = block.startRow; row < Math.min(block.endRow, state.rows.length); row += 1) {
    const cells = state.rows[row];
    const values: CellData[] = [];
    let width = 0;
    for (let column = block.startColumn; column < Math.min(block.endColumn, cells?.length ?? 0); column += 1) {
      const cell = cells?.[column];
      const data = cell ? cellAnswer(cell, reader.effective(state, row, column), reader, cellFields) : {};
      values.push(data);
      if (Object.keys(data).length > 0) width = values.length;
    }
    values.length = width;
    rows.push(width > 0 ? { values } : {});
    if (width > 0) length = rows.length;
  }
  rows.length = length;
  return rows;
}

function cellAnswer(
  cell: Cell,
  effective: ExtendedValue | undefined,
  reader: CellReader,
  fields: ReadonlySet<string> | undefined,
): CellData {
  const { userEnteredValue, userEnteredFormat, hyperlink, note, textFormatRuns, dataValidation, pivotTable } = cell;
  const wants = (name: string) => fields === undefined || fields.has(name);
  const data: Record<string, unknown> = {};
  if (userEnteredValue && wants('userEnteredValue')) data['userEnteredValue'] = userEnteredValue;
  if (effective && wants('effectiveValue')) data['effectiveValue'] = effective;
  if (effective && wants('formattedValue')) data['formattedValue'] = reader.formatted(cell, effective);
  if (userEnteredFormat && wants('userEnteredFormat')) data['userEnteredFormat'] = userEnteredFormat;
  if ((effective || userEnteredFormat) && wants('effectiveFormat')) data['effectiveFormat'] = effectiveFormat(cell, effective);
  if (hyperlink && wants('hyperlink')) data['hyperlink'] = hyperlink;
  if (note && wants('note')) data['note'] = note;
  if (textFormatRuns && wants('textFormatRuns')) data['textFormatRuns'] = textFormatRuns;
  if (dataValidation && wants('dataValidation')) data['dataValidation'] = dataValidation;
  if (pivotTable && wants('pivotTable')) data['pivotTable'] = pivotTable;
  return data;
}

function effectiveFormat(cell: Cell, effective: ExtendedValue | undefined): Record<string, unknown> {
  const { padding, verticalAlignment, wrapStrategy, textFormat, ...colours } = DEFAULT_CELL_FORMAT;
  const own = cell.userEnteredFormat as { textFormat?: object } | undefined;
  return {
    ...colours,
    padding,
    ...(effective ? { horizontalAlignment: alignment(effective) } : {}),
    verticalAlignment,
    wrapStrategy,
    ...own,
    textFormat: { ...textFormat, fontFamily: 'Arial', ...own?.textFormat },
    hyperlinkDisplayType: 'PLAIN_TEXT',
  };
}

function alignment(value: ExtendedValue): string {
  if (value.numberValue !== undefined) return 'RIGHT';
  return value.boolValue !== undefined || value.errorValue !== undefined ? 'CENTER' : 'LEFT';
}

function dimensions(
  book: WorkbookState,
  block: BookRange,
  dimension: 'ROWS' | 'COLUMNS',
  states: readonly (DimensionState | undefined)[],
  start: number,
  end: number,
): unknown[] {
  const pixelSize = dimension === 'ROWS' ? ROW_PIXELS : COLUMN_PIXELS;
  const items: Record<string, unknown>[] = Array.from({ length: end - start }, (_, offset) => {
    const state = states[start + offset];
    return { ...(state?.hiddenByUser ? { hiddenByUser: true } : {}), pixelSize: state?.pixelSize ?? pixelSize };
  });
  for (const entry of book.metadata) {
    const range = entry.location.dimensionRange;
    if (!range || (range.sheetId ?? 0) !== block.sheet.sheetId || range.dimension !== dimension) continue;
    const item = items[(range.startIndex ?? 0) - start];
    if (item) item['developerMetadata'] = [...((item['developerMetadata'] as unknown[]) ?? []), metadataAnswer(entry)];
  }
  return items;
}

/** Plain numbers and flags that are 0 or false are not written. */
function withoutDefaults(properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== 0 && value !== false && value !== undefined),
  );
}

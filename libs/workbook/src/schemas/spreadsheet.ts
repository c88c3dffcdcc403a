/** A spreadsheet with its sheets and cells: answers of the get methods, body of create, cells inside requests. */
import { any, bool, double, int32, list, message, string } from '../wire/schema';
import { dataFilter, developerMetadata, gridRange } from './data-filter';

export const gridProperties = message('GridProperties', {
  rowCount: int32,
  columnCount: int32,
  frozenRowCount: int32,
  frozenColumnCount: int32,
  hideGridlines: bool,
  rowGroupControlAfter: bool,
  columnGroupControlAfter: bool,
});

export const sheetProperties = message('SheetProperties', {
  sheetId: int32,
  title: string,
  index: int32,
  sheetType: string,
  gridProperties,
  hidden: bool,
  tabColor: any,
  rightToLeft: bool,
  tabColorStyle: any,
  dataSourceSheetProperties: any,
});

export const extendedValue = message(
  'ExtendedValue',
  {
    numberValue: double,
    stringValue: string,
    boolValue: bool,
    formulaValue: string,
    errorValue: message('ErrorValue', { type: string, message: string }),
  },
  { name: 'value', members: ['numberValue', 'stringValue', 'boolValue', 'formulaValue', 'errorValue'] },
);

export const cellData = message('CellData', {
  userEnteredValue: extendedValue,
  effectiveValue: extendedValue,
  formattedValue: string,
  userEnteredFormat: any,
  effectiveFormat: any,
  hyperlink: string,
  note: string,
  textFormatRuns: any,
  dataValidation: any,
  pivotTable: any,
  dataSourceTable: any,
  dataSourceFormula: any,
  chipRuns: any,
});

export const rowData = message('RowData', { values: list(cellData) });

const dimensionProperties = message('DimensionProperties', {
  hiddenByFilter: bool,
  hiddenByUser: bool,
  pixelSize: int32,
  developerMetadata: list(developerMetadata),
  dataSourceColumnReference: any,
});

const gridData = message('GridData', {
  startRow: int32,
  startColumn: int32,
  rowData: list(rowData),
  rowMetadata: list(dimensionProperties),
  columnMetadata: list(dimensionProperties),
});

export const sheet = message('Sheet', {
  properties: sheetProperties,
  data: list(gridData),
  merges: list(gridRange),
  conditionalFormats: any,
  filterViews: any,
  protectedRanges: any,
  basicFilter: any,
  charts: any,
  bandedRanges: any,
  developerMetadata: list(developerMetadata),
  rowGroups: any,
  columnGroups: any,
  slicers: any,
  tables: any,
});

export const spreadsheetProperties = message('SpreadsheetProperties', {
  title: string,
  locale: string,
  autoRecalc: string,
  timeZone: string,
  defaultFormat: any,
  iterativeCalculationSettings: any,
  spreadsheetTheme: any,
  importFunctionsExternalUrlAccessAllowed: bool,
});

export const namedRange = message('NamedRange', { namedRangeId: string, name: string, range: gridRange });

export const spreadsheet = message('Spreadsheet', {
  spreadsheetId: string,
  properties: spreadsheetProperties,
  sheets: list(sheet),
  namedRanges: list(namedRange),
  spreadsheetUrl: string,
  developerMetadata: list(developerMetadata),
  dataSources: any,
  dataSourceSchedules: any,
});

export const getQuery = {
  ranges: list(string),
  includeGridData: bool,
  excludeTablesInBandedRanges: bool,
  commentsViewMode: string,
};

export const getByDataFilterBody = message('GetSpreadsheetByDataFilterRequest', {
  dataFilters: list(dataFilter),
  includeGridData: bool,
  excludeTablesInBandedRanges: bool,
});

export const copyToBody = message('CopySheetToAnotherSpreadsheetRequest', { destinationSpreadsheetId: string });

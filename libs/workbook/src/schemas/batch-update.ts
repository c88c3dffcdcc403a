/** Requests of spreadsheets.batchUpdate. A kind that is named but not described here is answered with 501. */
import { any, bool, enumeration, int32, list, message, string, type FieldType } from '../wire/schema';
import { dataFilter, developerMetadata, dimensionRange, gridRange } from './data-filter';
import { cellData, namedRange, rowData, sheetProperties, spreadsheet, spreadsheetProperties } from './spreadsheet';

const dimension = enumeration('Dimension', 'DIMENSION_UNSPECIFIED', 'ROWS', 'COLUMNS');
const gridCoordinate = message('GridCoordinate', { sheetId: int32, rowIndex: int32, columnIndex: int32 });
const pasteType = enumeration(
  'PasteType',
  'PASTE_NORMAL',
  'PASTE_VALUES',
  'PASTE_FORMAT',
  'PASTE_NO_BORDERS',
  'PASTE_FORMULA',
  'PASTE_DATA_VALIDATION',
  'PASTE_CONDITIONAL_FORMATTING',
);
const mergeType = enumeration('MergeType', 'MERGE_ALL', 'MERGE_COLUMNS', 'MERGE_ROWS');
const sortSpec = message('SortSpec', {
  dimensionIndex: int32,
  sortOrder: enumeration('SortOrder', 'SORT_ORDER_UNSPECIFIED', 'ASCENDING', 'DESCENDING'),
  foregroundColor: any,
  backgroundColor: any,
  foregroundColorStyle: any,
  backgroundColorStyle: any,
  dataSourceColumnReference: any,
});

const described: Record<string, Record<string, FieldType>> = {
  addSheet: { properties: sheetProperties },
  deleteSheet: { sheetId: int32 },
  duplicateSheet: { sourceSheetId: int32, insertSheetIndex: int32, newSheetId: int32, newSheetName: string },
  updateSheetProperties: { properties: sheetProperties, fields: string },
  updateSpreadsheetProperties: { properties: spreadsheetProperties, fields: string },
  appendCells: { sheetId: int32, rows: list(rowData), fields: string, tableId: string },
  updateCells: { rows: list(rowData), fields: string, start: gridCoordinate, range: gridRange, tableRange: any },
  repeatCell: { range: gridRange, cell: cellData, fields: string },
  appendDimension: { sheetId: int32, dimension, length: int32, tableId: string },
  insertDimension: { range: dimensionRange, inheritFromBefore: bool },
  deleteDimension: { range: dimensionRange },
  moveDimension: { source: dimensionRange, destinationIndex: int32 },
  updateDimensionProperties: { range: dimensionRange, properties: any, fields: string, dataSourceSheetRange: any },
  autoResizeDimensions: { dimensions: dimensionRange, dataSourceSheetDimensions: any },
  addDimensionGroup: { range: dimensionRange },
  deleteDimensionGroup: { range: dimensionRange },
  insertRange: { range: gridRange, shiftDimension: dimension },
  deleteRange: { range: gridRange, shiftDimension: dimension },
  sortRange: { range: gridRange, sortSpecs: list(sortSpec) },
  findReplace: {
    find: string,
    replacement: string,
    matchCase: bool,
    matchEntireCell: bool,
    searchByRegex: bool,
    includeFormulas: bool,
    range: gridRange,
    sheetId: int32,
    allSheets: bool,
  },
  mergeCells: { range: gridRange, mergeType },
  unmergeCells: { range: gridRange },
  copyPaste: {
    source: gridRange,
    destination: gridRange,
    pasteType,
    pasteOrientation: enumeration('PasteOrientation', 'NORMAL', 'TRANSPOSE'),
  },
  cutPaste: { source: gridRange, destination: gridCoordinate, pasteType },
  addNamedRange: { namedRange },
  updateNamedRange: { namedRange, fields: string },
  deleteNamedRange: { namedRangeId: string },
  addProtectedRange: { protectedRange: any },
  updateProtectedRange: { protectedRange: any, fields: string },
  deleteProtectedRange: { protectedRangeId: int32 },
  setBasicFilter: { filter: any },
  clearBasicFilter: { sheetId: int32 },
  setDataValidation: { range: gridRange, rule: any, filteredRowsIncluded: bool },
  trimWhitespace: { range: gridRange },
  deleteDuplicates: { range: gridRange, comparisonColumns: list(dimensionRange) },
  createDeveloperMetadata: { developerMetadata },
  updateDeveloperMetadata: { dataFilters: list(dataFilter), developerMetadata, fields: string },
  deleteDeveloperMetadata: { dataFilter },
};

/** Kinds that the service knows and the mock does not. */
export const UNSERVED_KINDS = [
  'updateBorders', 'autoFill', 'pasteData', 'textToColumns', 'updateFilterView', 'addFilterView', 'deleteFilterView', 'duplicateFilterView',
  'updateConditionalFormatRule', 'addConditionalFormatRule', 'deleteConditionalFormatRule', 'addChart', 'updateChartSpec', 'addBanding',
  'updateBanding', 'deleteBanding', 'updateEmbeddedObjectPosition', 'updateEmbeddedObjectBorder', 'deleteEmbeddedObject', 'addSlicer',
  'updateSlicerSpec', 'randomizeRange', 'updateDimensionGroup', 'addDataSource', 'updateDataSource', 'deleteDataSource',
  'refreshDataSource', 'cancelDataSourceRefresh', 'addTable', 'updateTable', 'deleteTable',
] as const; // prettier-ignore

const kinds: Record<string, FieldType> = {
  ...Object.fromEntries(
    Object.entries(described).map(([kind, fields]) => [
      kind,
      message(`${kind[0]?.toUpperCase()}${kind.slice(1)}Request`, fields),
    ]),
  ),
  ...Object.fromEntries(UNSERVED_KINDS.map((kind) => [kind, any])),
};

const request = message('BatchUpdateSpreadsheetRequest.Request', kinds, { name: 'kind', members: Object.keys(kinds) });

export const batchUpdateBody = message('BatchUpdateSpreadsheetRequest', {
  requests: list(request),
  includeSpreadsheetInResponse: bool,
  responseRanges: list(string),
  responseIncludeGridData: bool,
});

export const batchUpdateAnswer = message('BatchUpdateSpreadsheetResponse', {
  spreadsheetId: string,
  replies: any,
  updatedSpreadsheet: spreadsheet,
  commentUpdateState: string,
});

/** The bodies of the Sheets v4 API, as far as both sides of the wire need them. Names are the service's own. */

/** What `values` of a ValueRange hold once read; in a write `null` also occurs and leaves a cell alone. */
export type CellValue = string | number | boolean;

export type Dimension = 'ROWS' | 'COLUMNS';
export type ValueRenderOption = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';
export type DateTimeRenderOption = 'SERIAL_NUMBER' | 'FORMATTED_STRING';
export type ValueInputOption = 'RAW' | 'USER_ENTERED';
export type InsertDataOption = 'OVERWRITE' | 'INSERT_ROWS';

export interface ErrorValue {
  readonly type: string;
  readonly message?: string;
}

/** One member is set. */
export interface ExtendedValue {
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly formulaValue?: string;
  readonly errorValue?: ErrorValue;
}

export interface NumberFormat {
  readonly type?: string;
  readonly pattern?: string;
}

export interface CellFormat {
  readonly numberFormat?: NumberFormat;
  readonly [field: string]: unknown;
}

export interface CellData {
  readonly userEnteredValue?: ExtendedValue;
  readonly effectiveValue?: ExtendedValue;
  readonly formattedValue?: string;
  readonly userEnteredFormat?: CellFormat;
  readonly effectiveFormat?: CellFormat;
  readonly hyperlink?: string;
  readonly note?: string;
  readonly textFormatRuns?: unknown;
  readonly dataValidation?: unknown;
  readonly pivotTable?: unknown;
}

export interface RowData {
  readonly values?: readonly CellData[];
}

/** Zero-based and half-open; an absent side is open, an absent `sheetId` is 0. */
export interface GridRange {
  readonly sheetId?: number;
  readonly startRowIndex?: number;
  readonly endRowIndex?: number;
  readonly startColumnIndex?: number;
  readonly endColumnIndex?: number;
}

export interface GridCoordinate {
  readonly sheetId?: number;
  readonly rowIndex?: number;
  readonly columnIndex?: number;
}

export interface DimensionRange {
  readonly sheetId?: number;
  readonly dimension?: Dimension;
  readonly startIndex?: number;
  readonly endIndex?: number;
}

export interface ValueRange {
  readonly range?: string;
  readonly majorDimension?: Dimension;
  readonly values?: readonly (readonly (CellValue | null)[])[];
}

export interface BatchGetValuesResponse {
  readonly spreadsheetId: string;
  readonly valueRanges?: readonly ValueRange[];
}

export interface UpdateValuesResponse {
  readonly spreadsheetId?: string;
  readonly updatedRange: string;
  readonly updatedRows?: number;
  readonly updatedColumns?: number;
  readonly updatedCells?: number;
  readonly updatedData?: ValueRange;
}

export interface AppendValuesResponse {
  readonly spreadsheetId: string;
  readonly tableRange?: string;
  readonly updates: UpdateValuesResponse;
}

export interface BatchUpdateValuesResponse {
  readonly spreadsheetId: string;
  readonly totalUpdatedRows?: number;
  readonly totalUpdatedColumns?: number;
  readonly totalUpdatedCells?: number;
  readonly totalUpdatedSheets?: number;
  readonly responses?: readonly UpdateValuesResponse[];
}

export interface GridProperties {
  readonly rowCount?: number;
  readonly columnCount?: number;
  readonly frozenRowCount?: number;
  readonly frozenColumnCount?: number;
  readonly hideGridlines?: boolean;
  readonly rowGroupControlAfter?: boolean;
  readonly columnGroupControlAfter?: boolean;
}

export interface SheetProperties {
  readonly sheetId: number;
  readonly title: string;
  readonly index: number;
  readonly sheetType?: string;
  readonly gridProperties?: GridProperties;
  readonly hidden?: boolean;
  readonly tabColor?: unknown;
  readonly rightToLeft?: boolean;
  readonly tabColorStyle?: unknown;
}

export interface DeveloperMetadataLocation {
  readonly locationType?: 'SPREADSHEET' | 'SHEET' | 'ROW' | 'COLUMN';
  readonly spreadsheet?: boolean;
  readonly sheetId?: number;
  readonly dimensionRange?: DimensionRange;
}

export interface DeveloperMetadata {
  readonly metadataId?: number;
  readonly metadataKey?: string;
  readonly metadataValue?: string;
  readonly location?: DeveloperMetadataLocation;
  readonly visibility?: 'DOCUMENT' | 'PROJECT';
}

export interface DeveloperMetadataLookup {
  readonly locationType?: DeveloperMetadataLocation['locationType'];
  readonly metadataLocation?: DeveloperMetadataLocation;
  readonly locationMatchingStrategy?: 'EXACT_LOCATION' | 'INTERSECTING_LOCATION';
  readonly metadataId?: number;
  readonly metadataKey?: string;
  readonly metadataValue?: string;
  readonly visibility?: DeveloperMetadata['visibility'];
}

export interface DataFilter {
  readonly a1Range?: string;
  readonly gridRange?: GridRange;
  readonly developerMetadataLookup?: DeveloperMetadataLookup;
}

export interface NamedRange {
  readonly namedRangeId: string;
  readonly name: string;
  readonly range: GridRange;
}

export interface GridData {
  readonly startRow?: number;
  readonly startColumn?: number;
  readonly rowData?: readonly RowData[];
  readonly rowMetadata?: readonly unknown[];
  readonly columnMetadata?: readonly unknown[];
}

export interface Sheet {
  readonly properties: SheetProperties;
  readonly data?: readonly GridData[];
  readonly developerMetadata?: readonly DeveloperMetadata[];
  readonly [field: string]: unknown;
}

export interface Spreadsheet {
  readonly spreadsheetId: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly sheets?: readonly Sheet[];
  readonly namedRanges?: readonly NamedRange[];
  readonly spreadsheetUrl?: string;
  readonly developerMetadata?: readonly DeveloperMetadata[];
}

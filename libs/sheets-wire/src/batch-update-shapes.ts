/** `spreadsheets.batchUpdate`: the requests that change rows, cells, tabs and metadata, and its answer. */
import type {
  CellData,
  DataFilter,
  DeveloperMetadata,
  Dimension,
  DimensionRange,
  GridCoordinate,
  GridRange,
  RowData,
  SheetProperties,
  Spreadsheet,
} from './spreadsheet-shapes';

export interface AppendCellsRequest {
  readonly sheetId?: number;
  readonly rows?: readonly RowData[];
  readonly fields: string;
}

export interface UpdateCellsRequest {
  readonly rows?: readonly RowData[];
  readonly fields: string;
  readonly start?: GridCoordinate;
  readonly range?: GridRange;
}

export interface RepeatCellRequest {
  readonly range: GridRange;
  readonly cell?: CellData;
  readonly fields: string;
}

/** One member is set: it is the request's kind. */
export interface BatchUpdateRequest {
  readonly addSheet?: { readonly properties?: Partial<SheetProperties> };
  readonly deleteSheet?: { readonly sheetId?: number };
  readonly updateSheetProperties?: { readonly properties: Partial<SheetProperties>; readonly fields: string };
  readonly appendCells?: AppendCellsRequest;
  readonly updateCells?: UpdateCellsRequest;
  readonly repeatCell?: RepeatCellRequest;
  readonly appendDimension?: { readonly sheetId?: number; readonly dimension: Dimension; readonly length: number };
  readonly insertDimension?: { readonly range: DimensionRange; readonly inheritFromBefore?: boolean };
  readonly deleteDimension?: { readonly range: DimensionRange };
  readonly moveDimension?: { readonly source: DimensionRange; readonly destinationIndex: number };
  readonly createDeveloperMetadata?: { readonly developerMetadata: DeveloperMetadata };
  readonly updateDeveloperMetadata?: {
    readonly dataFilters: readonly DataFilter[];
    readonly developerMetadata: DeveloperMetadata;
    readonly fields: string;
  };
  readonly deleteDeveloperMetadata?: { readonly dataFilter: DataFilter };
  readonly [kind: string]: unknown;
}

export interface BatchUpdateBody {
  readonly requests: readonly BatchUpdateRequest[];
  readonly includeSpreadsheetInResponse?: boolean;
  readonly responseRanges?: readonly string[];
  readonly responseIncludeGridData?: boolean;
}

export interface BatchUpdateReply {
  readonly addSheet?: { readonly properties: SheetProperties };
  readonly createDeveloperMetadata?: { readonly developerMetadata: DeveloperMetadata };
  readonly [kind: string]: unknown;
}

export interface BatchUpdateResponse {
  readonly spreadsheetId: string;
  /** One for each request, in order; most are empty. */
  readonly replies: readonly BatchUpdateReply[];
  readonly updatedSpreadsheet?: Spreadsheet;
}

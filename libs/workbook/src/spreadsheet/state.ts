/**
 * A spreadsheet as a value. Nothing in it is ever changed: a write makes a new state that shares all it did not touch with
 * the old one (see transaction.ts). So a refused batch leaves no trace, an old state can still be read, and a state can be
 * written to disk while the next one is being made.
 */
import type {
  CellData,
  DeveloperMetadata,
  ExtendedValue,
  GridProperties,
  GridRange,
  NamedRange,
  SheetProperties,
} from '@app/sheets-wire';

/** What is stored of a cell: what was entered, never what follows from it. */
export type Cell = Pick<
  CellData,
  'userEnteredValue' | 'userEnteredFormat' | 'note' | 'dataValidation' | 'textFormatRuns' | 'pivotTable' | 'hyperlink'
> & { readonly known?: KnownValue };

/**
 * What another service has worked out for a cell, where this is a copy of a spreadsheet of its. It holds for the very value that
 * was entered there: a cell that is written anew is worked out here.
 */
export interface KnownValue {
  readonly of: ExtendedValue;
  readonly effective: ExtendedValue;
  readonly shown: string;
  /** Its number format is one of a date or a time. */
  readonly isDate: boolean;
}

/** What the cell's own value is known to be worth; undefined: it has to be worked out. */
export function knownOf(cell: Cell | undefined): KnownValue | undefined {
  return cell?.known !== undefined && cell.known.of === cell.userEnteredValue ? cell.known : undefined;
}

/** By column; holes are cells that were never written. */
export type Row = readonly (Cell | undefined)[];

export interface DimensionState {
  readonly pixelSize?: number;
  readonly hiddenByUser?: boolean;
}

export interface DimensionGroup {
  readonly range: { readonly dimension: string; readonly startIndex: number; readonly endIndex: number };
  readonly depth: number;
  readonly collapsed?: boolean;
}

export interface ProtectedRange {
  readonly protectedRangeId: number;
  readonly range?: GridRange;
  readonly [field: string]: unknown;
}

/** The properties that a sheet keeps; its `index` is its place in the list. */
export type StoredSheetProperties = Omit<SheetProperties, 'index' | 'gridProperties'> & {
  readonly gridProperties: GridProperties & { readonly rowCount: number; readonly columnCount: number };
};

export interface SheetState {
  readonly properties: StoredSheetProperties;
  /** By row; may be shorter than the grid. */
  readonly rows: readonly (Row | undefined)[];
  readonly rowStates: readonly (DimensionState | undefined)[];
  readonly columnStates: readonly (DimensionState | undefined)[];
  readonly merges: readonly GridRange[];
  readonly protectedRanges: readonly ProtectedRange[];
  readonly basicFilter?: { readonly range?: GridRange; readonly [field: string]: unknown };
  readonly rowGroups: readonly DimensionGroup[];
  readonly columnGroups: readonly DimensionGroup[];
  /** Parts of a copied sheet that nothing here works with: charts, banded ranges and the like, as they came. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** A developer metadata entry with all that the service fills in. */
export type StoredMetadata = Required<Pick<DeveloperMetadata, 'metadataId' | 'location' | 'visibility'>> & DeveloperMetadata;

export interface WorkbookState {
  readonly spreadsheetId: string;
  readonly properties: Readonly<Record<string, unknown>> & { readonly title: string };
  /** In the order of the tabs. */
  readonly sheets: readonly SheetState[];
  readonly namedRanges: readonly NamedRange[];
  readonly metadata: readonly StoredMetadata[];
  /** Parts of a copied spreadsheet that nothing here works with, as they came. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export function isBlank(cell: Cell | undefined): boolean {
  return cell?.userEnteredValue === undefined;
}

/** One past the last row that holds a value. */
export function dataRowCount(sheet: SheetState): number {
  for (let index = sheet.rows.length - 1; index >= 0; index -= 1) {
    if (sheet.rows[index]?.some((cell) => !isBlank(cell))) return index + 1;
  }
  return 0;
}

/** A copy of a sheet as the upstream had it, with what it is known to contain. */
import type { FetchedTab } from '@app/sheets-client';
import type { CellData, ErrorValue, ExtendedValue } from '@app/sheets-wire';
import type { CellScalar } from '@app/write-log';

/**
 * A cell: its unformatted value, and where the service shows or computes it otherwise, how.
 * Most cells are plain, so most are stored as the bare value. Blank is `""`.
 */
export type SnapshotCell =
  | CellScalar
  | {
      readonly value: CellScalar;
      readonly shown: string;
      readonly formula?: string;
      /** It has the number format of a date or a time. */
      readonly isDate?: true;
      readonly error?: ErrorValue;
    };

export interface SnapshotContent {
  readonly sheetId: number;
  readonly title: string;
  readonly index: number;
  readonly rowCount: number;
  readonly columnCount: number;
  /** Row by row from the first row of the sheet; trailing blanks are left out. */
  readonly cells: readonly (readonly SnapshotCell[])[];
}

export function snapshotOf(tab: FetchedTab): SnapshotContent {
  const { sheetId, title, index, gridProperties } = tab.properties;
  const rowData = tab.data?.[0]?.rowData ?? [];
  return {
    sheetId: sheetId ?? 0,
    title,
    index: index ?? 0,
    rowCount: gridProperties?.rowCount ?? 0,
    columnCount: gridProperties?.columnCount ?? 0,
    cells: trimmedCells(rowData.map((row) => (row.values ?? []).map(snapshotCell))),
  };
}

/** Without the blanks at the end of each row and the blank rows at the end. */
export function trimmedCells(rows: SnapshotCell[][]): SnapshotCell[][] {
  return trimTrailing(
    rows.map((row) => trimTrailing(row, (cell) => cell === '')),
    (row) => row.length === 0,
  );
}

/** One cell as the service gives it. */
export function snapshotCell(cell: CellData): SnapshotCell {
  const shown = cell.formattedValue ?? '';
  const value = scalarOf(cell.effectiveValue, shown);
  const formula = cell.userEnteredValue?.formulaValue;
  const error = cell.effectiveValue?.errorValue;
  const isDate = DATE_TYPES.has(cell.effectiveFormat?.numberFormat?.type ?? '');
  if (formula === undefined && error === undefined && shown === plainText(value)) return value;
  return {
    value,
    shown,
    ...(formula === undefined ? {} : { formula }),
    ...(isDate ? { isDate } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** Source: spreadsheets, NumberFormatType. */
const DATE_TYPES = new Set(['DATE', 'TIME', 'DATE_TIME']);

function scalarOf(value: ExtendedValue | undefined, shown: string): CellScalar {
  // An error has no value of its own: what the service shows, such as `#DIV/0!`, stands for it.
  return value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? (value?.errorValue === undefined ? '' : shown);
}

/** How the service shows a value that has no number format of its own. */
export function plainText(value: CellScalar): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

export function unformatted(cell: SnapshotCell | undefined): CellScalar {
  if (cell === undefined) return '';
  return typeof cell === 'object' ? cell.value : cell;
}

function trimTrailing<T>(list: T[], isBlank: (item: T) => boolean): T[] {
  let length = list.length;
  while (length > 0 && isBlank(list[length - 1])) length -= 1;
  return list.slice(0, length);
}

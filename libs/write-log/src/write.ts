import type { Waiting } from './waiting';
import type { CellScalar } from './write-values';

/**
 * What a client asked for. Rows are bound to identities: the tab's id, a row's key, a column's header, never to a position. What
 * comes through the Sheets v4 surface names positions itself, as its client saw them.
 */
export type WriteOperation = RowsOperation | CellsOperation | StructureOperation;

export type RowsOperation =
  | { readonly kind: 'append'; readonly rows: readonly AppendedRow[] }
  | { readonly kind: 'patch'; readonly key: string; readonly set: RowValues }
  | { readonly kind: 'delete'; readonly key: string };

/** Requests of `spreadsheets.batchUpdate` that change cells, rows or columns of one sheet at positions as the view shows them. */
export interface CellsOperation {
  readonly kind: 'cells';
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** Cells of rows that the view shows as free, where the write appends: taken by a person meanwhile, it goes further down. */
  readonly appends?: CellsArea;
  /** The last write that the snapshot contained in which the client's positions were found; later ones were shown where they were told. */
  readonly seenThrough: number;
}

/** Requests that change more than the cells of one sheet: the view does not show them before the spreadsheet is fetched anew. */
export interface StructureOperation {
  readonly kind: 'structure';
  readonly requests: readonly Readonly<Record<string, unknown>>[];
}

/** Under this id of a sheet stands a change of structure: there is no such sheet, and no view shows it. */
export const STRUCTURE_SHEET = -1;

/** Zero-based, half-open. */
export interface CellsArea {
  readonly startRow: number;
  readonly endRow: number;
  readonly startColumn: number;
  readonly endColumn: number;
}

/** Rows that an append was told to lie in, and how far below that they went. */
export interface RowShift {
  readonly sheetId: number;
  readonly startRow: number;
  readonly endRow: number;
  readonly by: number;
  /** Of the append. */
  readonly number: number;
}

export function isRowsOperation(operation: WriteOperation): operation is RowsOperation {
  return operation.kind !== 'cells' && operation.kind !== 'structure';
}

export interface AppendedRow {
  readonly key: string;
  readonly values: RowValues;
}

/** Column header -> value. `null` leaves a cell alone, `""` clears it. */
export type RowValues = Readonly<Record<string, CellScalar | null>>;

/** An entry of the log: a write that was accepted. */
export interface LoggedWrite<Operation extends WriteOperation = WriteOperation> {
  readonly number: number;
  readonly sheetId: number;
  readonly sheetTitle: string;
  readonly operation: Operation;
}

export type RowsWrite = LoggedWrite<RowsOperation>;

export function isRowsWrite(write: LoggedWrite): write is RowsWrite {
  return isRowsOperation(write.operation);
}

export type WriteState = 'accepted' | 'sending' | 'unknown' | 'applied' | 'failed' | 'cancelled';

/** Decided for good: nothing more will happen to the write by itself. */
export function isFinal(state: WriteState): boolean {
  return state === 'applied' || state === 'failed' || state === 'cancelled';
}

/** Why a write was set aside. `code` is stable. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Where an applied write came to lie. Rows are counted from 1, as in the sheet's margin; a deleted one is where it stood before. */
export interface Landed {
  readonly sheetId: number;
  /** The first row, and the range in A1 notation of it and those right below it. */
  readonly row: number;
  readonly range: string;
  /** All ranges, where the rows do not follow each other. */
  readonly ranges?: readonly string[];
  /** How many ranges more there are than a receipt lists. */
  readonly rangesLeftOut?: number;
}

/** Why nobody can say where an applied write came to lie. */
export type LandedUnknown = 'answer-lost' | 'not-shown' | 'not-sent';

export interface Receipt {
  readonly id: string;
  readonly number: number;
  readonly state: WriteState;
  readonly spreadsheetId: string;
  readonly sheet: string;
  readonly sheetId: number;
  readonly operation: WriteOperation['kind'];
  readonly keys: readonly string[];
  readonly acceptedAt: string;
  readonly sentAt?: string;
  readonly settledAt?: string;
  readonly reason?: Reason;
  /** Of a write that is not settled: why it waits, where only a person can help. */
  readonly waiting?: Waiting;
  /** Of an applied write. */
  readonly landed?: Landed | LandedUnknown;
  /** The write that carries it out anew, since an operator released it; and the other way round. */
  readonly releasedAs?: string;
  readonly releaseOf?: string;
}

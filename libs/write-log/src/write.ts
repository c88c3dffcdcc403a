import type { Waiting } from './waiting';
import type { CellScalar } from './write-values';

/** What a client asked for, bound to identities: the tab's id, a row's key, a column's header. Never to a position. */
export type WriteOperation =
  | { readonly kind: 'append'; readonly rows: readonly AppendedRow[] }
  | { readonly kind: 'patch'; readonly key: string; readonly set: RowValues }
  | { readonly kind: 'delete'; readonly key: string };

export interface AppendedRow {
  readonly key: string;
  readonly values: RowValues;
}

/** Column header -> value. `null` leaves a cell alone, `""` clears it. */
export type RowValues = Readonly<Record<string, CellScalar | null>>;

/** An entry of the log: a write that was accepted. */
export interface LoggedWrite {
  readonly number: number;
  readonly sheetId: number;
  readonly sheetTitle: string;
  readonly operation: WriteOperation;
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

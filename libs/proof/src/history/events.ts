/** What the checker is told, in the order in which the runner learnt it. All times are of one monotonic clock. */

export type OperationKind = 'append' | 'patch' | 'delete';

/** One write that a client asked for, however often it asked. Of one key all operations come from one client, one after the other. */
export interface Operation {
  readonly id: string;
  readonly client: string;
  readonly kind: OperationKind;
  readonly tab: string;
  readonly key: string;
  /** What it puts into the row's counter cell: 1 by the append, one more with each patch. Of a delete: that of the write before. */
  readonly counter: number;
  /** The upstream refuses it on purpose: it may end failed. */
  readonly mayFail?: boolean;
}

/** A row as somebody saw it: its key, and its counter cell. */
export type SeenRow = readonly [key: string, counter: number];

export interface ReadEvent {
  readonly type: 'read';
  readonly client: string;
  readonly tab: string;
  readonly startMs: number;
  readonly endMs: number;
  /** In the order of the answer. */
  readonly rows: readonly SeenRow[];
  /** The read was of this row only. */
  readonly onlyKey?: string;
}

export type HistoryEvent =
  | { readonly type: 'invoke'; readonly atMs: number; readonly operation: Operation }
  /** 200, 201 or 202. */
  | {
      readonly type: 'ack';
      readonly atMs: number;
      readonly operationId: string;
      readonly status: number;
      /** Absent: the answer itself says that it is applied. */
      readonly receiptId?: string;
    }
  /** A 4xx: it is certain that nothing was written, now or later. */
  | {
      readonly type: 'fail';
      readonly atMs: number;
      readonly operationId: string;
      readonly status: number;
      readonly code: string;
    }
  /** No answer, or one that leaves it open. An `ack` or `fail` may follow, when the client asks again. */
  | { readonly type: 'unknown'; readonly atMs: number; readonly operationId: string; readonly why: string }
  /** A person is about to have a row of this key. */
  | { readonly type: 'person'; readonly key: string }
  | ReadEvent;

export interface FinalReceipt {
  readonly state: string;
  readonly code?: string;
}

export interface FinalState {
  /** Tab -> its rows, from the top. */
  readonly tabs: ReadonlyMap<string, readonly SeenRow[]>;
  readonly receipts: ReadonlyMap<string, FinalReceipt>;
  /** Tab -> the rows that a person left there, and nobody else may have touched: key -> counter cell. */
  readonly personRows: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export const VIOLATION_KINDS = [
  /** An acknowledged write is not there at the end, and its receipt gives no reason that was to be expected. */
  'lost',
  /** A row is there twice. */
  'doubled',
  /** Of two appends the one that was sent after the other was acknowledged stands before it. */
  'reordered',
  /** A read lacks what was acknowledged before it began, or a write was refused for that lack. */
  'stale',
  /** A client saw an older state than it had seen before. */
  'went-back',
  /** Something is there that nobody asked for, or that was refused. */
  'invented',
] as const;
export type ViolationKind = (typeof VIOLATION_KINDS)[number];

export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
  /** The part of the history that shows it. */
  readonly history: readonly string[];
}

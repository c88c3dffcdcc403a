/**
 * A row that was changed where its key stood when the batch was planned, or one beside a row that was deleted; `rowIndex` is where
 * it is after the batch.
 */
export interface KeyCheck {
  readonly sheetId: number;
  readonly rowIndex: number;
  /** The key column, counted from 0. */
  readonly column: number;
  readonly key: string;
  /** The row itself stays as it is: a deleted one leaves nothing to look at but its neighbours. */
  readonly besideDeleted?: true;
  readonly numbers: readonly number[];
}

/** A column that the batch writes under, or finds rows by, and the header that it had when the batch was planned. */
export interface ColumnCheck {
  readonly sheetId: number;
  readonly column: number;
  readonly name: string;
  readonly numbers: readonly number[];
}

/** What a batch makes of one sheet, as far as its answer has to be asked where that came to lie. */
export interface PlannedLanding {
  readonly sheetId: number;
  readonly title: string;
  readonly keyColumn: number;
  /** The last column with a header. */
  readonly lastColumn: number;
  /** Rows appended, found again by their key, and rows changed, which stand at `rowIndex` after the batch. */
  readonly rows: readonly { readonly key: string; readonly rowIndex?: number; readonly numbers: readonly number[] }[];
  /** Where each deleted row stood before the batch. */
  readonly deleted: readonly { readonly index: number; readonly number: number }[];
}

/** Consecutive log entries as one upstream call, kept word for word until its outcome is known. */
export interface FrozenBatch {
  /** Its number among the batches of the spreadsheet: a number applies once, whoever sends it and however late. */
  readonly number: number;
  /** Random, so that a commit entry says whose it is. */
  readonly id: string;
  readonly first: number;
  readonly last: number;
  /** The log numbers that it carries; the others between first and last were set aside before. */
  readonly numbers: readonly number[];
  /** The body of the `spreadsheets.batchUpdate`, ready to send. */
  readonly body: { readonly requests: readonly unknown[]; readonly responseRanges?: readonly string[] };
  /** For each request of the body, the log numbers that it carries out; the commit entry carries none. */
  readonly numbersByRequest: readonly (readonly number[])[];
  /** Which rows it changes by position, and whose they have to be: its answer shows whether somebody moved them. */
  readonly keyChecks?: readonly KeyCheck[];
  /** Under which headers it writes: its answer shows whether somebody moved the columns. */
  readonly columnChecks?: readonly ColumnCheck[];
  readonly landings?: readonly PlannedLanding[];
  /** Its one write is to be told what the service replied to each request. */
  readonly wantsReplies?: true;
  /** Wall time of the first attempt whose outcome is not known; absent: every attempt so far is decided. */
  readonly undecidedSinceMs?: number;
  readonly attempts: number;
}

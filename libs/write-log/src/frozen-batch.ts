/**
 * A row that was changed where its key stood when the batch was planned, or one beside a row that was deleted; `rowIndex` is where
 * it is after the batch.
 */
export interface KeyCheck {
  readonly sheetId: number;
  readonly rowIndex: number;
  readonly key: string;
  /** The row itself stays as it is: a deleted one leaves nothing to look at but its neighbours. */
  readonly besideDeleted?: true;
  readonly numbers: readonly number[];
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
  /** Wall time of the first attempt whose outcome is not known; absent: every attempt so far is decided. */
  readonly undecidedSinceMs?: number;
  readonly attempts: number;
}

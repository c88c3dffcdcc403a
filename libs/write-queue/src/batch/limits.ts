/** How large one upstream call may become. */
export interface BatchLimits {
  /** Rows appended, changed or deleted. Keeps a batch quick to apply; fewer would cost more calls. */
  readonly rowsMax: number;
  /** Cells written. */
  readonly cellsMax: number;
  /** Bytes of the request. The service advises 2 MB ("Usage limits"). */
  readonly bytesMax: number;
}

export const BATCH_LIMITS: BatchLimits = { rowsMax: 2_000, cellsMax: 100_000, bytesMax: 2_000_000 };

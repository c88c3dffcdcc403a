import type { BatchLimits } from '../batch/limits';
import type { DrainObserver } from './drain-observer';

export interface DrainOptions {
  readonly keyColumnName: string;
  readonly limits: BatchLimits;
  /** How long a writer may hold a spreadsheet without renewing. Longer than the upstream time-out, or a slow answer would cost the lease. */
  readonly leaseMs: number;
  /** Least time between two drain calls of one spreadsheet: the service answers 503 to more than about one a second. */
  readonly paceMs: number;
  /** Whether writes of the direct lane keep to that pace too. */
  readonly paceDirectWrites: boolean;
  /** A snapshot younger than this is believed to have the columns that the sheet has now, where only rows are appended. */
  readonly snapshotYoungMs: number;
  /** How long the upstream's reads may lag behind its writes before it counts as rolled back. */
  readonly upstreamLagMaxMs: number;
  readonly observe?: DrainObserver;
}

/** First pause after a failed call of a spreadsheet; doubled with each failure that follows. */
export const BACKOFF_FIRST_MS = 500;
export const BACKOFF_MAX_MS = 30_000;
/** Pause after an answer that concerns the whole spreadsheet, such as a missing permission: only a person can help. */
export const BACKOFF_SPREADSHEET_MS = 30_000;
/**
 * Commit entries kept on a spreadsheet, and how many more may gather before a call prunes them. None is pruned while an attempt
 * may still arrive late: its entry is what refuses it.
 */
export const COMMIT_ENTRIES_KEPT = 100;
export const COMMIT_ENTRIES_PRUNED_FROM = 150;

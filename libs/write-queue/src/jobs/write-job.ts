/** The name of the queue, as operators see it. */
export const WRITE_QUEUE = 'writes';

/**
 * A job means "see to it that this write is settled". It carries a reference and what an operator may see of the write, no cell:
 * the write itself is in the log, and the order comes from the log, never from the order of jobs.
 */
export interface WriteJob {
  readonly writeId: string;
  readonly spreadsheetId: string;
  readonly number: number;
  readonly sheet: string;
  readonly operation: string;
  readonly rows: number;
  readonly receipt: string;
  /** The job has failed with the write's verdict: run again, it releases the write. */
  readonly verdictTold?: boolean;
}

/** The name of a job that asks for nothing but to be taken (`heartbeat.ts`). */
export const HEARTBEAT_JOB = 'heartbeat';

/** BullMQ keys get a hash tag of their own: one queue is one slot of a cluster. */
export function queuePrefix(keyPrefix: string): string {
  return `{${keyPrefix}queue}`;
}

/**
 * A job whose process could not even put it back, since Redis was away, is tried again for as long as it takes: its write is in the
 * log and wants to be settled.
 */
export const JOB_RETRIES = { attempts: 1_000_000, backoff: { type: 'fixed', delay: 1_000 } } as const;

/** Finished jobs are kept for operators to look at, within bounds: about 1.2 KB each. */
export const JOBS_KEPT = {
  removeOnComplete: { age: 24 * 60 * 60, count: 5_000 },
  removeOnFail: { age: 7 * 24 * 60 * 60, count: 5_000 },
} as const;

/** Nobody of ours reads the queue's events; some are kept for operators' tools. About 100 bytes each. */
export const EVENTS_KEPT = { events: { maxLen: 1_000 } } as const;

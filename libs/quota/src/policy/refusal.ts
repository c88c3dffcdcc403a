import type { Lane } from './lane';
import type { Mode } from './quota-state';

/**
 * Why a reservation was refused:
 * `closed` the upstream refused a call a moment ago; `ramp` it did, and the quota opens step by step; `degraded` the lane
 * `direct` waits for direct mode; `hard-max` nothing is granted that high; `floor-of-others` what is left is kept for another
 * lane; `own-max` the lane has had its share; `ceiling` the total has reached the lane's ceiling.
 */
export type RefusalReason = 'ceiling' | 'own-max' | 'floor-of-others' | 'degraded' | 'closed' | 'hard-max' | 'ramp';

export interface Verdict {
  readonly reason: RefusalReason;
  /** The earliest instant at which time alone can change the answer. */
  readonly retryAtMs: number;
}

/** A "no" is a value: why, by which quota, and when asking again can help. */
export interface Refusal {
  readonly quotaId: string;
  readonly lane: Lane;
  readonly reason: RefusalReason;
  /** On Redis's clock. */
  readonly retryAtMs: number;
  readonly retryInMs: number;
  readonly consumed: number;
  readonly limit: number;
  readonly mode: Mode;
}

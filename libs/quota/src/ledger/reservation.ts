import type { Lane } from '../policy/lane';
import type { Refusal } from '../policy/refusal';
import type { QuotaStatus } from './quota-status';

/** The permission to make one upstream call. Exactly one of `settle`, `release` or the end of its lease ends it. */
export interface Reservation {
  readonly id: string;
  readonly lane: Lane;
  /** As whom the call has to be made, since his quota counts it. */
  readonly user: string;
  /** On the monotonic clock (`performance.now()`): past it the request must not be written, for it could outlive its lease. */
  readonly sendByMs: number;
  /**
   * The upstream has answered: the call counts from now for one window. Never rejects: while Redis is away the lease goes on
   * counting, which is longer. A second ending of either kind does nothing.
   */
  settle(): Promise<void>;
  /** The request was surely never sent: it does not count. */
  release(): Promise<void>;
}

export type ReserveResult =
  | {
      readonly granted: true;
      readonly reservation: Reservation;
      readonly status: QuotaStatus;
      /** What would have refused the call, were refusing not switched off. */
      readonly shadowRefusal?: Refusal;
    }
  | { readonly granted: false; readonly refusal: Refusal; readonly status: QuotaStatus };

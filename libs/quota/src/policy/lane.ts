/** Who asks for a reservation. A lane's shares decide how much of a quota may be used for it. */
export type Lane = 'direct' | 'drain' | 'refresh' | 'cold';

/** The scripts know the lanes in this order (`lua/includes/quota.lua`). */
export const LANES: readonly Lane[] = ['direct', 'drain', 'refresh', 'cold'];

/** Shares of the limit in force, each from 0 to 1. */
export interface LaneShare {
  /** The lane is refused once the *total* of all lanes has reached this share. */
  readonly ceiling: number;
  /** The lane is refused once its *own* count has reached this share. */
  readonly ownMax: number;
  /** Below this own count the lane ignores its ceiling, and while it has demand the other lanes leave the difference free. */
  readonly floor: number;
}

export type LaneShares = Readonly<Record<Lane, LaneShare>>;

/**
 * `direct` and `drain` stop where degraded mode begins, so both ceilings follow the trigger. No other lane may alone hold the
 * total above the exit, so what it may have at most follows that.
 */
export function defaultLaneShares(triggerRatio: number, exitRatio: number): LaneShares {
  const upToExit = (share: number): number => Math.min(share, exitRatio);
  return {
    direct: { ceiling: triggerRatio, ownMax: 1, floor: 0 },
    drain: { ceiling: triggerRatio, ownMax: upToExit(0.3), floor: upToExit(0.1) },
    refresh: { ceiling: upToExit(0.3), ownMax: 1, floor: 0 },
    cold: { ceiling: 0.9, ownMax: upToExit(0.2), floor: upToExit(0.05) },
  };
}

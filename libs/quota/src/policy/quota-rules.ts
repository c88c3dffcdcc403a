/** What one quota is governed by, and the absolute counts that follow from its shares and the limit in force. */
import { LANES, type Lane, type LaneShares } from './lane';

/** Sent to the scripts as JSON: names are part of the protocol with `lua/includes/`. */
export interface QuotaRules {
  /** As configured; what was learnt from the upstream replaces it. */
  readonly limit: number;
  /** Caps a learnt limit; 0: no cap. */
  readonly learntLimitMax: number;
  readonly windowMs: number;
  /** How long a call counts that never gets a response, before its window begins. */
  readonly leaseMs: number;
  /** Nothing is granted at or above this share of the limit: what is left covers paused machines. */
  readonly hardMaxShare: number;
  /** Degraded mode begins when the total passes this share. */
  readonly triggerRatio: number;
  /** It ends below this share, but not before it has lasted `minDegradedMs`. */
  readonly exitRatio: number;
  readonly minDegradedMs: number;
  /** A lane has demand for this long after it asked. */
  readonly demandMs: number;
  /** The first closing after a refusal by the upstream; doubles while refusals go on, up to the window. */
  readonly closeMs: number;
  /** After a closing the hard maximum comes back in a straight line over this time. */
  readonly rampMs: number;
  readonly lanes: LaneShares;
}

export interface LaneCounts {
  readonly ceiling: number;
  readonly ownMax: number;
  readonly floor: number;
}

export interface QuotaCounts {
  readonly hardMax: number;
  /** Degraded mode begins above this total ... */
  readonly trigger: number;
  /** ... and ends below this one. */
  readonly exitBelow: number;
  readonly lanes: Readonly<Record<Lane, LaneCounts>>;
}

/** Takes away what binary fractions add: 0.29 × 100 is 29. The scripts use the same value. */
const ROUNDING = 1e-9;

function shareOf(limit: number, share: number): number {
  return Math.floor(limit * share + ROUNDING);
}

/** Maxima are at least 1, so that a very small limit slows a lane down and does not end it. */
export function countsOf(rules: QuotaRules, limitInForce: number): QuotaCounts {
  const hardMax = Math.max(1, shareOf(limitInForce, rules.hardMaxShare));
  const lane = (name: Lane): LaneCounts => {
    const shares = rules.lanes[name];
    const ownMax = Math.max(1, shareOf(limitInForce, shares.ownMax));
    return { ceiling: Math.max(1, shareOf(limitInForce, shares.ceiling)), ownMax, floor: shareOf(limitInForce, shares.floor) };
  };
  return {
    hardMax,
    trigger: Math.max(1, shareOf(limitInForce, rules.triggerRatio)),
    exitBelow: Math.max(1, Math.ceil(limitInForce * rules.exitRatio - ROUNDING)),
    lanes: Object.fromEntries(LANES.map((name) => [name, lane(name)])) as Record<Lane, LaneCounts>,
  };
}

/**
 * May a call of a lane be made now? The one definition; `lua/includes/decide.lua` says the same to Redis, and the simulation
 * compares the two step by step.
 */
import type { CallLog } from './call-log';
import { LANES, type Lane } from './lane';
import type { QuotaCounts, QuotaRules } from './quota-rules';
import type { QuotaState } from './quota-state';
import type { Verdict } from './refusal';

export interface QuotaView {
  readonly rules: QuotaRules;
  readonly counts: QuotaCounts;
  readonly state: QuotaState;
  readonly log: CallLog;
}

/** Undefined: granted. */
export function decide(quota: QuotaView, lane: Lane, nowMs: number): Verdict | undefined {
  const { rules, counts, state, log } = quota;
  const { total } = log;
  const own = log.ownOf(lane);
  const { ceiling, ownMax, floor } = counts.lanes[lane];
  const freedAtMs = (k: number): number => log.freedAtMs(k, nowMs, rules.windowMs);

  if (nowMs < state.closedUntilMs) return { reason: 'closed', retryAtMs: state.closedUntilMs };
  if (lane === 'direct' && state.mode === 'degraded') return { reason: 'degraded', retryAtMs: directAgainAtMs(quota, nowMs) };
  if (total >= counts.hardMax) return { reason: 'hard-max', retryAtMs: freedAtMs(total - counts.hardMax + 1) };

  const ramp = rampMax(quota, nowMs);
  if (total >= ramp)
    return { reason: 'ramp', retryAtMs: Math.min(freedAtMs(total - ramp + 1), rampReachesAtMs(quota, total + 1)) };

  const kept = keptForOthers(quota, lane, nowMs);
  if (total + kept.calls >= counts.hardMax) {
    const byWindow = total === 0 ? Infinity : freedAtMs(Math.min(total, total + kept.calls - counts.hardMax + 1));
    return { reason: 'floor-of-others', retryAtMs: Math.min(byWindow, kept.untilMs) };
  }
  if (own >= ownMax) return { reason: 'own-max', retryAtMs: log.freedAtMs(own - ownMax + 1, nowMs, rules.windowMs, lane) };
  if (own >= floor && total >= ceiling) return { reason: 'ceiling', retryAtMs: freedAtMs(total - ceiling + 1) };
  return undefined;
}

/** When the mode can be direct again at the earliest: after its least stay, and when enough calls have left the window. */
export function directAgainAtMs({ rules, counts, state, log }: QuotaView, nowMs: number): number {
  const stayedAtMs = state.degradedSinceMs + rules.minDegradedMs;
  const surplus = log.total - counts.exitBelow + 1;
  return surplus > 0 ? Math.max(stayedAtMs, log.freedAtMs(surplus, nowMs, rules.windowMs)) : stayedAtMs;
}

/** After a closing the hard maximum is given back step by step, so that what piled up does not arrive at once. */
function rampMax({ rules, counts, state }: QuotaView, nowMs: number): number {
  const openForMs = nowMs - state.closedUntilMs;
  if (state.closedUntilMs === 0 || openForMs >= rules.rampMs) return counts.hardMax;
  return Math.max(1, Math.floor((counts.hardMax * openForMs) / rules.rampMs));
}

function rampReachesAtMs({ rules, counts, state }: QuotaView, total: number): number {
  return state.closedUntilMs + Math.ceil((rules.rampMs * total) / counts.hardMax);
}

/** Places that other lanes are promised and ask for. Free again when they stop asking. */
function keptForOthers({ rules, counts, state, log }: QuotaView, lane: Lane, nowMs: number): { calls: number; untilMs: number } {
  const kept = { calls: 0, untilMs: Infinity };
  for (const other of LANES) {
    const missing = counts.lanes[other].floor - log.ownOf(other);
    const demandUntilMs = (state.demand[other] ?? -Infinity) + rules.demandMs;
    if (other === lane || missing <= 0 || demandUntilMs <= nowMs) continue;
    kept.calls += missing;
    kept.untilMs = Math.min(kept.untilMs, demandUntilMs);
  }
  return kept;
}

/**
 * Others may use the same quota. All that shows of them is a refusal by the upstream that our own count does not explain.
 *
 * - The refusal closes the quota for `closeMs`; again within a window of the reopening, for twice as long, up to the window.
 * - What the limit holds beyond our own answered calls must have been theirs: `foreignCalls = limit - own`.
 * - The estimate stands for `windowMs × 2^(episodes - 1)` (at most 8 windows), then fades in a straight line over twice that
 *   time. So a passing stranger is forgotten in three minutes, and one who stays costs a refusal every twenty.
 * - Refusals that arrive while the quota is closed belong to calls already on their way: they teach a limit, nothing more.
 *
 * Rejected: additive increase without a memory of episodes. It finds the edge, and is refused, several times an hour for ever.
 */
import type { QuotaRules } from './quota-rules';
import type { QuotaState } from './quota-state';

/** At least a twentieth of the limit stays ours, so that recovery can be noticed. */
export const FOREIGN_SHARE_MAX = 0.95;
export const EPISODES_MAX = 4;

export function holdMsOf(rules: QuotaRules, episodes: number): number {
  return rules.windowMs * 2 ** (Math.min(Math.max(episodes, 1), EPISODES_MAX) - 1);
}

/** The limit that the upstream states, or else the configured one. */
export function baseLimitOf(rules: QuotaRules, state: QuotaState): number {
  return state.learntLimit > 0 ? state.learntLimit : rules.limit;
}

export function foreignCallsAt(rules: QuotaRules, state: QuotaState, nowMs: number): number {
  if (state.foreignCalls === 0) return 0;
  const holdMs = holdMsOf(rules, state.foreignEpisodes);
  const fadedMs = nowMs - state.foreignSinceMs - holdMs;
  if (fadedMs <= 0) return state.foreignCalls;
  return Math.max(0, Math.ceil(state.foreignCalls * (1 - fadedMs / (2 * holdMs))));
}

export function limitInForceAt(rules: QuotaRules, state: QuotaState, nowMs: number): number {
  return Math.max(1, baseLimitOf(rules, state) - foreignCallsAt(rules, state, nowMs));
}

/** The upstream refused a call. `ownCalls`: our calls in the window that it has answered. `statedLimit`: 0 where it named none. */
export function noteRefusal(rules: QuotaRules, state: QuotaState, ownCalls: number, statedLimit: number, nowMs: number): void {
  if (statedLimit > 0) state.learntLimit = rules.learntLimitMax > 0 ? Math.min(statedLimit, rules.learntLimitMax) : statedLimit;
  if (nowMs < state.closedUntilMs) return;

  const again = state.closedForMs > 0 && nowMs < state.closedUntilMs + rules.windowMs;
  state.closedForMs = again ? Math.min(state.closedForMs * 2, rules.windowMs) : rules.closeMs;
  state.closedUntilMs = nowMs + state.closedForMs;

  const base = baseLimitOf(rules, state);
  if (ownCalls >= base) return;
  const before = foreignCallsAt(rules, state, nowMs);
  state.foreignEpisodes = before > 0 ? Math.min(state.foreignEpisodes + 1, EPISODES_MAX) : 1;
  state.foreignCalls = Math.min(Math.max(before, base - ownCalls), Math.floor(base * FOREIGN_SHARE_MAX));
  state.foreignSinceMs = nowMs;
}

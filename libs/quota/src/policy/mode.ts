/** Degraded above the trigger or from the first refused direct reservation; direct again below the exit, after a least stay. */
import type { QuotaCounts, QuotaRules } from './quota-rules';
import type { QuotaState } from './quota-state';

export function updateMode(rules: QuotaRules, counts: QuotaCounts, state: QuotaState, total: number, nowMs: number): void {
  if (state.mode === 'direct') {
    if (total > counts.trigger) enterDegraded(state, nowMs);
  } else if (total < counts.exitBelow && nowMs >= state.degradedSinceMs + rules.minDegradedMs) {
    state.mode = 'direct';
    state.modeChanges += 1;
  }
}

export function enterDegraded(state: QuotaState, nowMs: number): void {
  if (state.mode === 'degraded') return;
  state.mode = 'degraded';
  state.degradedSinceMs = nowMs;
  state.modeChanges += 1;
}

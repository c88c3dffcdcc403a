/**
 * The ledger's rules over state in memory: what the scripts do in Redis, without Redis. It is handed the time.
 * The simulation runs on it, and the property tests hold the scripts against it.
 */
import { CallLog } from './call-log';
import { decide, directAgainAtMs, type QuotaView } from './decide';
import { baseLimitOf, foreignCallsAt, limitInForceAt, noteRefusal } from './foreign-use';
import type { Lane } from './lane';
import { enterDegraded, updateMode } from './mode';
import { countsOf, type QuotaCounts, type QuotaRules } from './quota-rules';
import { newQuotaState, type Mode, type QuotaState } from './quota-state';
import type { RefusalReason } from './refusal';

/** What is known of a quota after a step. The scripts reply with the same fields. */
export interface QuotaFacts {
  readonly consumed: number;
  readonly limit: number;
  readonly limitInForce: number;
  readonly mode: Mode;
  /** When the next place can be freed by time; 0: nothing is counted. */
  readonly resetAtMs: number;
  readonly closedUntilMs: number;
  readonly foreignCalls: number;
  readonly learntLimit: number;
  readonly modeChanges: number;
}

export interface PolicyRefusal {
  /** The place of the refusing quota among those that were asked: of several, the one that refuses longest. */
  readonly quota: number;
  readonly reason: RefusalReason;
  readonly retryAtMs: number;
}

export interface PolicyReply {
  readonly nowMs: number;
  readonly refusal?: PolicyRefusal;
  readonly quotas: readonly QuotaFacts[];
}

export class PolicyQuota {
  readonly log = new CallLog();
  state: QuotaState = newQuotaState();
  private counted?: { limitInForce: number; counts: QuotaCounts };

  constructor(readonly rules: QuotaRules) {}

  /** Brings the quota to `nowMs`: old calls gone, mode up to date. */
  view(nowMs: number): QuotaView {
    this.log.evict(nowMs, this.rules.windowMs);
    const { rules, state, log } = this;
    const counts = this.countsFor(limitInForceAt(rules, state, nowMs));
    updateMode(rules, counts, state, log.total, nowMs);
    return { rules, counts, state, log };
  }

  private countsFor(limitInForce: number): QuotaCounts {
    if (this.counted?.limitInForce !== limitInForce) this.counted = { limitInForce, counts: countsOf(this.rules, limitInForce) };
    return this.counted.counts;
  }

  facts(nowMs: number): QuotaFacts {
    const { rules, state, log } = this;
    return {
      consumed: log.total,
      limit: baseLimitOf(rules, state),
      limitInForce: limitInForceAt(rules, state, nowMs),
      mode: state.mode,
      resetAtMs: log.total === 0 ? 0 : log.freedAtMs(1, nowMs, rules.windowMs),
      closedUntilMs: state.closedUntilMs,
      foreignCalls: foreignCallsAt(rules, state, nowMs),
      learntLimit: state.learntLimit,
      modeChanges: state.modeChanges,
    };
  }
}

/** Takes a place in every one of `quotas`, or in none. With `enforce` false it takes them all the same. */
export function reserve(
  quotas: readonly PolicyQuota[],
  call: { id: string; lane: Lane; enforce?: boolean },
  nowMs: number,
): PolicyReply {
  const refusal = ask(quotas, call.lane, nowMs);
  if (refusal === undefined || call.enforce === false)
    for (const quota of quotas) {
      quota.log.put(call.id, call.lane, nowMs + quota.rules.leaseMs);
      quota.view(nowMs);
    }
  return replyOf(quotas, nowMs, refusal);
}

/** What `reserve` would answer. Asking counts as demand, and takes no place. */
export function peek(quotas: readonly PolicyQuota[], lane: Lane, nowMs: number): PolicyReply {
  return replyOf(quotas, nowMs, ask(quotas, lane, nowMs));
}

/** The call was answered: it counts from now. A second settling changes nothing. */
export function settle(quotas: readonly PolicyQuota[], call: { id: string; lane: Lane }, nowMs: number): PolicyReply {
  for (const quota of quotas) {
    quota.view(nowMs);
    quota.log.put(call.id, call.lane, nowMs);
    quota.view(nowMs);
  }
  return replyOf(quotas, nowMs);
}

/** The call was surely never sent: it does not count. */
export function release(quotas: readonly PolicyQuota[], call: { id: string }, nowMs: number): PolicyReply {
  for (const quota of quotas) {
    quota.view(nowMs);
    quota.log.remove(call.id);
    quota.view(nowMs);
  }
  return replyOf(quotas, nowMs);
}

/** The upstream refused a call. */
export function reportRefusal(quota: PolicyQuota, statedLimit: number, nowMs: number): PolicyReply {
  quota.view(nowMs);
  noteRefusal(quota.rules, quota.state, quota.log.answered(nowMs), statedLimit, nowMs);
  quota.view(nowMs);
  return replyOf([quota], nowMs);
}

function ask(quotas: readonly PolicyQuota[], lane: Lane, nowMs: number): PolicyRefusal | undefined {
  let refusal: PolicyRefusal | undefined;
  quotas.forEach((quota, place) => {
    const view = quota.view(nowMs);
    if (quota.rules.lanes[lane].floor > 0) quota.state.demand[lane] = nowMs;
    const verdict = decide(view, lane, nowMs);
    if (verdict === undefined) return;
    let { retryAtMs } = verdict;
    if (lane === 'direct') {
      enterDegraded(quota.state, nowMs);
      retryAtMs = Math.max(retryAtMs, directAgainAtMs(view, nowMs));
    }
    if (refusal === undefined || retryAtMs > refusal.retryAtMs) refusal = { quota: place, reason: verdict.reason, retryAtMs };
  });
  return refusal;
}

function replyOf(quotas: readonly PolicyQuota[], nowMs: number, refusal?: PolicyRefusal): PolicyReply {
  return { nowMs, ...(refusal && { refusal }), quotas: quotas.map((quota) => quota.facts(nowMs)) };
}

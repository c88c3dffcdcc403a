/** What is told about quotas: to clients in headers, to operators, to the processes themselves. */
import type { QuotaFacts } from '../policy/quota-policy';
import type { Mode } from '../policy/quota-state';
import type { QuotaInstance } from '../policy/quota-definition';

export interface SingleQuotaStatus {
  readonly quotaId: string;
  /** Of its definition: the same for all users of a quota per user. */
  readonly name: string;
  readonly per: 'project' | 'user';
  readonly windowMs: number;
  /** Calls that count now. */
  readonly consumed: number;
  /** What the upstream states, or else what is configured. */
  readonly limit: number;
  readonly configuredLimit: number;
  /** What was learnt from the upstream's refusals; absent: nothing. */
  readonly learntLimit?: number;
  /** The limit less what others are seen to use. All shares are of this. */
  readonly limitInForce: number;
  readonly foreignCalls: number;
  readonly remaining: number;
  /** When the oldest call leaves the window, so that a place can be free; 0 where nothing is counted. */
  readonly resetInMs: number;
  /** How long the quota stays closed after a refusal by the upstream; 0: it is open. */
  readonly closedForMs: number;
  readonly mode: Mode;
  /** Since the quota was first used. */
  readonly modeChanges: number;
}

/** The tightest of several quotas, and all of them. */
export interface QuotaStatus extends SingleQuotaStatus {
  readonly all: readonly SingleQuotaStatus[];
}

export function statusOf({ quotaId, definition }: QuotaInstance, facts: QuotaFacts, nowMs: number): SingleQuotaStatus {
  return {
    quotaId,
    name: definition.id,
    per: definition.per,
    windowMs: definition.windowMs,
    consumed: facts.consumed,
    limit: facts.limit,
    configuredLimit: definition.limit,
    ...(facts.learntLimit > 0 && { learntLimit: facts.learntLimit }),
    limitInForce: facts.limitInForce,
    foreignCalls: facts.foreignCalls,
    remaining: Math.max(0, facts.limitInForce - facts.consumed),
    resetInMs: Math.max(0, facts.resetAtMs - nowMs),
    closedForMs: Math.max(0, facts.closedUntilMs - nowMs),
    mode: facts.mode,
    modeChanges: facts.modeChanges,
  };
}

/** The tightest is the one with the smallest part of its limit left. */
export function combined(all: readonly SingleQuotaStatus[]): QuotaStatus {
  const part = (status: SingleQuotaStatus): number => status.remaining / status.limitInForce;
  const tightest = all.reduce((least, status) => (part(status) < part(least) ? status : least));
  return { ...tightest, all };
}

/** The options of the ledger: defaults, what each protects, and the relations between them. */
import type { RedisClient } from '@app/platform';
import { defaultLaneShares, LANES, type Lane, type LaneShare, type LaneShares } from '../policy/lane';
import { DEFAULT_USER, type QuotaDefinition } from '../policy/quota-definition';
import { QUOTA_PRESETS, type QuotaPresetName } from '../policy/quota-presets';
import type { QuotaRules } from '../policy/quota-rules';
import type { SingleQuotaStatus } from './quota-status';

export interface QuotaOptions {
  /** Supplied by the application, which also closes it. Should fail at once while Redis is away. */
  readonly redis: RedisClient;
  /** Applications that share a Redis and a quota use the same; others must not. */
  readonly keyPrefix: string;
  readonly quotas: readonly QuotaDefinition[] | QuotaPresetName;
  /** As whom the application can call, for quotas per user. Default: one user. */
  readonly users?: readonly string[];
  /** Degraded mode begins above this share of the limit in force. Default 0.5. */
  readonly triggerRatio?: number;
  /** It ends below this one. Default 0.4. Near the trigger the mode would swing; far below it would last. */
  readonly exitRatio?: number;
  /** The least stay in degraded mode. Default 20,000: at most six changes a minute whatever the load. */
  readonly minDegradedMs?: number;
  /** Replaces the shares of single lanes. */
  readonly lanes?: Partial<Record<Lane, Partial<LaneShare>>>;
  /** No lane gets past this share. Default 0.9: the rest covers machines that stop between check and send. */
  readonly hardMaxShare?: number;
  /** Within this time a call is answered or its connection destroyed. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long a call without a response counts before its window begins. Default 15,000; longer than the deadline. */
  readonly leaseMs?: number;
  /** False: counts everything and refuses nothing. Default true. */
  readonly enforce?: boolean;
  /** A lane that asked within this time has demand. Default 2,000; longer than `recheckMs`, or sleepers would lose their floor. */
  readonly demandMs?: number;
  /** After a refusal a process asks again after this time at the latest. Default 1,000: places freed by chance are noticed so. */
  readonly recheckMs?: number;
  /** The first closing after a refusal by the upstream. Default 5,000. */
  readonly closeMs?: number;
  /** How slowly a quota opens again after a closing. Default 10,000. */
  readonly rampMs?: number;
  /** A Redis that has not answered for this long counts as away. Default 500. */
  readonly redisAnswerMs?: number;
  /**
   * Told when this process hears that a quota's mode has changed, with the status after the change. Every process hears of a
   * change, whoever brought it about. Must not throw, and must not wait.
   */
  readonly onModeChange?: (status: SingleQuotaStatus) => void;
}

export type SettledQuotaOptions = Readonly<
  Required<Omit<QuotaOptions, 'quotas' | 'lanes'>> & { quotas: readonly QuotaDefinition[]; lanes: LaneShares }
>;

export function settleOptions(options: QuotaOptions): SettledQuotaOptions {
  const triggerRatio = options.triggerRatio ?? 0.5;
  const exitRatio = options.exitRatio ?? 0.4;
  const shares = defaultLaneShares(triggerRatio, exitRatio);
  const lanes = Object.fromEntries(LANES.map((lane) => [lane, { ...shares[lane], ...options.lanes?.[lane] }])) as Record<
    Lane,
    LaneShare
  >;
  return {
    redis: options.redis,
    keyPrefix: options.keyPrefix,
    users: options.users ?? [DEFAULT_USER],
    quotas: typeof options.quotas === 'string' ? (QUOTA_PRESETS[options.quotas] ?? []) : options.quotas,
    triggerRatio,
    exitRatio,
    minDegradedMs: options.minDegradedMs ?? 20_000,
    lanes,
    hardMaxShare: options.hardMaxShare ?? 0.9,
    deadlineMs: options.deadlineMs ?? 10_000,
    leaseMs: options.leaseMs ?? 15_000,
    enforce: options.enforce ?? true,
    demandMs: options.demandMs ?? 2_000,
    recheckMs: options.recheckMs ?? 1_000,
    closeMs: options.closeMs ?? 5_000,
    rampMs: options.rampMs ?? 10_000,
    redisAnswerMs: options.redisAnswerMs ?? 500,
    onModeChange: options.onModeChange ?? (() => undefined),
  };
}

export function rulesOf(options: Omit<SettledQuotaOptions, 'redis'>, definition: QuotaDefinition): QuotaRules {
  const { leaseMs, hardMaxShare, triggerRatio, exitRatio, minDegradedMs, demandMs, closeMs, rampMs, lanes } = options;
  const { limit, windowMs, learntLimitMax = 0 } = definition;
  return {
    limit,
    learntLimitMax,
    windowMs,
    leaseMs,
    hardMaxShare,
    triggerRatio,
    exitRatio,
    minDegradedMs,
    demandMs,
    closeMs: Math.min(closeMs, windowMs),
    rampMs,
    lanes,
  };
}

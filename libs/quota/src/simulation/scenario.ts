/** What a seed makes of a run: how many gateways, which load, how the network and the upstream behave. */
import { defaultLaneShares, type Lane, type LaneShares } from '../policy/lane';
import type { QuotaDefinition } from '../policy/quota-definition';
import { QUOTA_PRESETS } from '../policy/quota-presets';
import type { QuotaRules } from '../policy/quota-rules';
import { Random } from './random';
import type { UpstreamModel } from './upstream';

/**
 * - `mixed`: everything at once, with the shares as they are by default;
 * - `google`: the same over four quotas and two users;
 * - `whole-limit`: one lane may use all of the limit: nothing but the counting keeps the calls below it;
 * - `one-lane`: after a burst of direct calls, one background lane alone asks without end;
 * - `stranger`: somebody else uses 40 % of the quota.
 */
export const SCENARIO_KINDS = ['mixed', 'google', 'whole-limit', 'one-lane', 'stranger'] as const;
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];
const WEIGHTS: Readonly<Record<ScenarioKind, number>> = {
  mixed: 0.38,
  google: 0.2,
  'whole-limit': 0.2,
  'one-lane': 0.2,
  stranger: 0.02,
};

export interface Scenario {
  readonly seed: number;
  readonly kind: ScenarioKind;
  readonly quotas: readonly QuotaDefinition[];
  readonly rules: (definition: QuotaDefinition) => QuotaRules;
  readonly users: readonly string[];
  readonly upstream: UpstreamModel;
  readonly upstreamPhaseMs: number;
  readonly durationMs: number;
  readonly gateways: number;
  /** How wrong each gateway's own clock is. */
  readonly skewsMs: readonly number[];
  readonly latencyMeanMs: number;
  readonly tailChance: number;
  readonly tailMs: number;
  /** Mean time between crashes of one gateway; Infinity: none. */
  readonly crashEveryMs: number;
  /** How often a machine stops for a while between permission and send. */
  readonly stallChance: number;
  /** Direct calls a second over all gateways: in calm, and in bursts. */
  readonly directPerSecond: { readonly calm: number; readonly burst: number; readonly untilMs: number };
  /** Lanes whose every gateway asks again as soon as it may. */
  readonly saturated: readonly Lane[];
  /** Calls a second of the other lanes. */
  readonly backgroundPerSecond: Readonly<Partial<Record<Lane, number>>>;
  readonly strangerShare: number;
  readonly deadlineMs: number;
}

export const SIMULATED_DEADLINE_MS = 10_000;
export const SIMULATED_LEASE_MS = 15_000;
const WINDOW_MS = 60_000;

export function scenarioOf(seed: number, wanted?: ScenarioKind): Scenario {
  const random = new Random(seed);
  const drawn = drawKind(random.share());
  const kind = wanted ?? drawn;
  const gateways = random.whole(1, 6);
  const oneLane = random.pick<Lane>(['drain', 'refresh', 'cold']);
  const common = {
    seed,
    kind,
    quotas: kind === 'google' ? QUOTA_PRESETS.google : QUOTA_PRESETS['case-study'],
    users: kind === 'google' ? ['ann', 'bob'] : ['ann'],
    upstream: random.pick<UpstreamModel>(['sliding', 'fixed', 'token-bucket']),
    upstreamPhaseMs: random.whole(0, WINDOW_MS),
    gateways,
    skewsMs: Array.from({ length: gateways }, () => Math.round(random.between(-20_000, 20_000))),
    latencyMeanMs: random.between(50, 700),
    tailChance: 0.02,
    tailMs: random.between(2_000, 12_000),
    crashEveryMs: kind !== 'one-lane' && random.chance(0.5) ? random.between(20_000, 120_000) : Infinity,
    stallChance: kind !== 'one-lane' && random.chance(0.3) ? 0.005 : 0,
    directPerSecond: { calm: random.between(0.2, 5), burst: random.between(5, 40), untilMs: Infinity },
    saturated: [] as Lane[],
    backgroundPerSecond: {},
    strangerShare: 0,
    deadlineMs: SIMULATED_DEADLINE_MS,
  };
  const windows = (low: number, high: number): number => WINDOW_MS * random.whole(low, high);
  const shares = defaultLaneShares(0.5, 0.4);
  const rules = rulesFrom(shares, 0.9);
  switch (kind) {
    case 'mixed':
    case 'google': {
      const saturated = random.pick<Lane[]>([['drain'], ['drain', 'refresh'], ['drain', 'cold'], []]);
      const backgroundPerSecond = { drain: random.between(0, 2), refresh: random.between(0, 2), cold: random.between(0, 1) };
      return { ...common, rules, durationMs: windows(3, 5), saturated, backgroundPerSecond };
    }
    case 'whole-limit': {
      const all = { ...shares, cold: { ceiling: 1, ownMax: 1, floor: 0 } };
      const none = { calm: 0, burst: 0, untilMs: 0 };
      const load = random.chance(0.5)
        ? { saturated: ['cold'] as Lane[], backgroundPerSecond: {} }
        : { backgroundPerSecond: { cold: random.between(4, 15) } };
      return { ...common, rules: rulesFrom(all, 1), durationMs: windows(3, 5), directPerSecond: none, ...load };
    }
    case 'one-lane':
      return {
        ...common,
        rules,
        durationMs: windows(5, 7),
        directPerSecond: { calm: common.directPerSecond.burst, burst: common.directPerSecond.burst, untilMs: 30_000 },
        saturated: [oneLane],
      };
    case 'stranger':
      // With the shares as they are by default, 40 % fits beside us; where one lane may use all, it does not.
      return {
        ...common,
        rules: random.chance(0.7) ? rulesFrom({ ...shares, cold: { ceiling: 0.9, ownMax: 0.9, floor: 0 } }, 0.9) : rules,
        durationMs: windows(40, 40),
        saturated: ['drain', 'cold'],
        strangerShare: 0.4,
      };
    default:
      throw new RangeError(`no such kind of scenario: ${String(kind)}`);
  }
}

function drawKind(share: number): ScenarioKind {
  let upTo = 0;
  for (const kind of SCENARIO_KINDS) if (share < (upTo += WEIGHTS[kind])) return kind;
  return 'mixed';
}

function rulesFrom(lanes: LaneShares, hardMaxShare: number): Scenario['rules'] {
  return ({ limit, windowMs }) => ({
    limit,
    learntLimitMax: 0,
    windowMs,
    leaseMs: SIMULATED_LEASE_MS,
    hardMaxShare,
    triggerRatio: 0.5,
    exitRatio: 0.4,
    minDegradedMs: 20_000,
    demandMs: 2_000,
    closeMs: 5_000,
    rampMs: 10_000,
    lanes,
  });
}

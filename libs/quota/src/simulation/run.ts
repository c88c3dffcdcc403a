/** One run: a world from a seed, judged by validators for the invariants Q1 to Q5. */
import { LANES, type Lane } from '../policy/lane';
import { countsOf } from '../policy/quota-rules';
import { CaseStudyCounter, PolicyCounter, type Counter, type TracedStep } from './counter';
import { scenarioOf, type Scenario, type ScenarioKind } from './scenario';
import { worstSlice, type Slice } from './slices';
import { validate } from './validators';
import { World } from './world';

const BATCH_START_MS = 60_000;

export interface RunResult {
  readonly seed: number;
  readonly kind: ScenarioKind;
  readonly upstream: Scenario['upstream'];
  readonly gateways: number;
  readonly sent: number;
  readonly refusedByUpstream: number;
  /** After the first five windows: refused, of those sent. */
  readonly settledRefusals: { readonly refused: number; readonly sent: number };
  readonly worst: Slice;
  readonly modeChangesPerMinuteMax: number;
  /** Mean use of what a lane may use: of the lanes that asked without end, and of `direct`. */
  readonly use: Readonly<Partial<Record<Lane, number>>>;
  readonly violations: readonly string[];
}

export function runOnce(seed: number, options: { kind?: ScenarioKind; trace?: TracedStep[] } = {}): RunResult {
  const scenario = scenarioOf(seed, options.kind);
  const counter = new PolicyCounter(scenario, options.trace);
  const world = new World(scenario, counter);
  const verdict = validate(scenario, world, counter);
  const worst = worstOf(scenario, world);
  return {
    seed,
    kind: scenario.kind,
    upstream: scenario.upstream,
    gateways: scenario.gateways,
    sent: world.calls.filter(({ arrivedAtMs }) => arrivedAtMs !== undefined).length,
    refusedByUpstream: world.upstream.refusedOurs,
    settledRefusals: verdict.settledRefusals,
    worst,
    modeChangesPerMinuteMax: verdict.modeChangesPerMinuteMax,
    use: useOf(scenario, world),
    violations: verdict.violations,
  };
}

/**
 * The same world with another counter, by default the case study's own: how many calls reach the upstream in its worst slice.
 * The nodes' clocks agree, so what is shown is not their fault.
 */
export function runBaseline(seed: number, counterFor: (scenario: Scenario) => Counter = () => new CaseStudyCounter(1)): Slice {
  const drawn = scenarioOf(seed, 'whole-limit');
  const scenario = { ...drawn, skewsMs: drawn.skewsMs.map(() => 0) };
  const world = new World(scenario, counterFor(scenario));
  world.run();
  return worstOf(scenario, world);
}

function worstOf(scenario: Scenario, world: World): Slice {
  const slices = [...world.upstream.ours].map(([quotaId, arrivals]) => {
    const definition = scenario.quotas.find(({ id }) => quotaId === id || quotaId.startsWith(`${id}:`));
    return worstSlice(quotaId, arrivals, definition?.limit ?? 0, definition?.windowMs ?? 0);
  });
  const none: Slice = { quotaId: '', count: 0, limit: 1, fromMs: 0, toMs: 0 };
  return slices.reduce((worst, slice) => (slice.count / slice.limit > worst.count / worst.limit ? slice : worst), none);
}

/**
 * As the upstream sees it: of the calls that a lane may have in any window, how many were there, averaged over time. Only for
 * one quota, since a lane that two of them bound has no single ceiling.
 */
function useOf(scenario: Scenario, world: World): Partial<Record<Lane, number>> {
  const use: Partial<Record<Lane, number>> = {};
  if (scenario.quotas.length > 1 || scenario.strangerShare > 0) return use;
  const [definition] = scenario.quotas;
  const { lanes, hardMax } = countsOf(scenario.rules(definition), definition.limit);
  const begin = scenario.kind === 'one-lane' ? 2 * BATCH_START_MS : BATCH_START_MS;
  for (const lane of LANES) {
    const alone = scenario.saturated.length === 1 && scenario.saturated[0] === lane && scenario.crashEveryMs === Infinity;
    const measured = lane === 'direct' ? scenario.kind === 'mixed' : alone && scenario.kind !== 'mixed';
    if (!measured) continue;
    const may = Math.min(lanes[lane].ownMax, lanes[lane].ceiling, hardMax);
    let present = 0;
    for (const call of world.calls) {
      if (call.lane !== lane || call.arrivedAtMs === undefined) continue;
      const from = Math.max(call.arrivedAtMs, begin);
      const to = Math.min(call.arrivedAtMs + definition.windowMs, scenario.durationMs);
      present += Math.max(0, to - from);
    }
    use[lane] = present / (may * (scenario.durationMs - begin));
  }
  return use;
}

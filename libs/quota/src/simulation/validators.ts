/**
 * The invariants, checked by an oracle of its own: it keeps the calls and their fates, and knows nothing of how they were
 * counted. Q4's numbers are judged over many runs (report.ts), the rest here.
 */
import type { Lane } from '../policy/lane';
import { countsOf } from '../policy/quota-rules';
import type { PolicyCounter } from './counter';
import { SIMULATED_LEASE_MS, type Scenario } from './scenario';
import { mostInWindow, worstSlice } from './slices';
import type { SimulatedCall, World } from './world';

export interface Judgement {
  readonly violations: string[];
  readonly modeChangesPerMinuteMax: number;
  readonly settledRefusals: { refused: number; sent: number };
}

const MINUTE_MS = 60_000;
/** At any load: each stay in degraded mode lasts a third of a minute at least. */
const MODE_CHANGES_PER_MINUTE_MAX = 6;
const LOOK_EVERY_MS = 1_000;
/** A stranger is known after this time. */
const SETTLED_AFTER_MS = 5 * MINUTE_MS;

export function validate(scenario: Scenario, world: World, counter: PolicyCounter): Judgement {
  const violations: string[] = [];
  const settledRefusals = { refused: 0, sent: 0 };
  const say = (text: string): void => void (violations.length < 10 && violations.push(text));

  world.onArrival = (call) => {
    const atMs = Math.floor(world.timeline.nowMs);
    for (const { quotaId } of call.gates) {
      const quota = counter.quotas.get(quotaId);
      quota?.log.evict(atMs, quota.rules.windowMs);
      if (!quota?.log.has(call.id))
        say(`Q5 at ${atMs} ms: call ${call.id} reached the upstream without being counted by ${quotaId}`);
    }
    if (atMs < SETTLED_AFTER_MS) return;
    settledRefusals.sent += 1;
  };
  let refusedBefore = 0;
  let firstActive = 0;
  const look = (): void => {
    const nowMs = Math.floor(world.timeline.nowMs);
    if (nowMs <= SETTLED_AFTER_MS) refusedBefore = world.upstream.refusedOurs;
    while (firstActive < world.calls.length && !countsFor(world.calls[firstActive], nowMs, 2 * MINUTE_MS)) firstActive += 1;
    for (const [quotaId, quota] of counter.quotas) {
      const expected = world.calls
        .slice(firstActive)
        .filter(
          (call) => countsFor(call, nowMs, quota.rules.windowMs) && call.gates.some((gate) => gate.quotaId === quotaId),
        ).length;
      quota.log.evict(nowMs, quota.rules.windowMs);
      if (quota.log.total !== expected)
        say(`Q2 at ${nowMs} ms: ${quotaId} counts ${quota.log.total} calls, ${expected} were granted`);
    }
    world.timeline.after(LOOK_EVERY_MS, look);
  };
  world.timeline.after(LOOK_EVERY_MS, look);
  world.run();
  settledRefusals.refused = world.upstream.refusedOurs - refusedBefore;

  for (const [quotaId, arrivals] of world.upstream.ours) {
    const { limit, windowMs } = (counter.quotas.get(quotaId) as { rules: { limit: number; windowMs: number } }).rules;
    const worst = worstSlice(quotaId, arrivals, limit, windowMs);
    if (worst.count > limit)
      say(`Q1: ${worst.count} calls of ${quotaId} arrived from ${worst.fromMs} to ${worst.toMs} ms, limit ${limit}`);
  }
  if (scenario.strangerShare === 0 && world.upstream.refusedOurs > 0)
    say(`Q1: the upstream (${scenario.upstream}) refused ${world.upstream.refusedOurs} calls, and nobody else was calling`);
  for (const text of starved(scenario, world)) say(text);
  if (scenario.kind === 'one-lane')
    for (const [quotaId, quota] of counter.quotas) {
      quota.view(scenario.durationMs);
      if (quota.state.mode === 'degraded') say(`Q3: lane ${scenario.saturated[0]} alone holds ${quotaId} in degraded mode`);
    }
  const modeChangesPerMinuteMax = Math.max(0, ...[...counter.modeChangesAtMs.values()].map((at) => mostInWindow(at, MINUTE_MS)));
  if (modeChangesPerMinuteMax > MODE_CHANGES_PER_MINUTE_MAX)
    say(`Q3: the mode changed ${modeChangesPerMinuteMax} times in a minute`);
  return { violations, modeChangesPerMinuteMax, settledRefusals };
}

/** A call counts from its permission to one window after its answer, or after its lease where it got none. */
function countsFor(call: SimulatedCall, nowMs: number, windowMs: number): boolean {
  if (call.releasedAtMs !== undefined) return false;
  return nowMs <= (call.settledAtMs ?? call.reservedAtMs + SIMULATED_LEASE_MS) + windowMs;
}

/** A lane that asks without end gets its floor in every stretch as long as a call can occupy a place. */
function starved(scenario: Scenario, world: World): string[] {
  if (scenario.quotas.length > 1 || scenario.strangerShare > 0) return [];
  const [definition] = scenario.quotas;
  const { lanes } = countsOf(scenario.rules(definition), definition.limit);
  // A lone gateway that is down cannot ask.
  const stretchMs = definition.windowMs + SIMULATED_LEASE_MS + 6_000;
  const texts: string[] = [];
  for (const lane of scenario.saturated) {
    const got = world.calls.filter((call) => call.lane === lane).map(({ reservedAtMs }) => reservedAtMs);
    const { floor } = lanes[lane];
    for (let fromMs = 0; fromMs + stretchMs <= scenario.durationMs; fromMs += LOOK_EVERY_MS) {
      const count = countBetween(got, fromMs, fromMs + stretchMs);
      if (count < floor) {
        texts.push(starvedText(lane, count, floor, fromMs, stretchMs));
        break;
      }
    }
  }
  return texts;
}

function starvedText(lane: Lane, count: number, floor: number, fromMs: number, stretchMs: number): string {
  return `Q3: from ${fromMs} to ${fromMs + stretchMs} ms lane ${lane} got ${count} calls, its floor is ${floor}`;
}

function countBetween(instants: readonly number[], fromMs: number, toMs: number): number {
  return lowerBound(instants, toMs) - lowerBound(instants, fromMs);
}

function lowerBound(instants: readonly number[], value: number): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instants[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

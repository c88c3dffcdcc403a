/**
 * Gateways, network and load on a moved clock. A call's way, each arrow a delay of its own:
 *
 *   ask ─trip─> counter ─trip─> [machine may stop here] ─> send ─> upstream ─> answer ─trip─> settle
 *
 * A gateway that crashes forgets its calls; what it has sent still arrives. A call past its deadline gets no answer and is left
 * to its lease, one past its `sendBy` is not sent but released. As in the ledger, a refused gateway asks again after a second
 * at the latest and not before the answer can change.
 */
import type { Lane } from '../policy/lane';
import { matchingQuotas, type CallKind } from '../policy/quota-definition';
import type { CountedCall, Counter } from './counter';
import { Random } from './random';
import { SIMULATED_LEASE_MS, type Scenario } from './scenario';
import { Timeline } from './timeline';
import { Upstream } from './upstream';

const RECHECK_MS = 1_000;

export interface SimulatedCall extends CountedCall {
  /** Redis's clock, whole milliseconds. */
  readonly reservedAtMs: number;
  settledAtMs?: number;
  releasedAtMs?: number;
  arrivedAtMs?: number;
}

interface Gateway {
  readonly skewMs: number;
  life: number;
  up: boolean;
  readonly refusedUntilMs: Map<string, number>;
}

export class World {
  readonly timeline = new Timeline();
  readonly upstream: Upstream;
  readonly calls: SimulatedCall[] = [];
  /** Called when a call reaches the upstream. */
  onArrival: (call: SimulatedCall) => void = () => undefined;
  private readonly random: Random;
  private readonly gateways: Gateway[];
  private asked = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly counter: Counter,
  ) {
    this.random = new Random(scenario.seed ^ 0x5eed);
    this.upstream = new Upstream(scenario.upstream, scenario.upstreamPhaseMs);
    this.gateways = scenario.skewsMs.map((skewMs) => ({ skewMs, life: 0, up: true, refusedUntilMs: new Map<string, number>() }));
    for (const gateway of this.gateways) this.start(gateway);
    this.loadDirect();
    for (const [lane, perSecond] of Object.entries(scenario.backgroundPerSecond) as [Lane, number][])
      if (!scenario.saturated.includes(lane)) this.repeat(1_000 / perSecond, () => this.ask(this.anyGateway(), lane));
    if (scenario.strangerShare > 0) this.loadStranger();
  }

  run(): void {
    this.timeline.runUntil(this.scenario.durationMs);
  }

  private start(gateway: Gateway): void {
    gateway.up = true;
    gateway.refusedUntilMs.clear();
    for (const lane of this.scenario.saturated) this.askAgainAndAgain(gateway, lane);
    if (this.scenario.crashEveryMs === Infinity) return;
    this.timeline.after(this.random.gapMs(this.scenario.crashEveryMs), () => {
      gateway.up = false;
      gateway.life += 1;
      this.timeline.after(this.random.between(500, 5_000), () => this.start(gateway));
    });
  }

  private askAgainAndAgain(gateway: Gateway, lane: Lane): void {
    const { life } = gateway;
    const again = (inMs: number): void => {
      this.timeline.after(inMs, () => {
        if (gateway.life === life) this.ask(gateway, lane, again);
      });
    };
    again(this.random.between(0, 50));
  }

  /** `answered` hears when asking again makes sense. */
  private ask(gateway: Gateway | undefined, lane: Lane, answered: (againInMs: number) => void = () => undefined): void {
    if (gateway === undefined) return;
    const { timeline, scenario } = this;
    const kind: CallKind = { access: this.accessOf(lane), user: this.random.pick(scenario.users) };
    const question = `${lane} ${kind.access} ${kind.user}`;
    const refusedUntilMs = gateway.refusedUntilMs.get(question) ?? 0;
    if (timeline.nowMs < refusedUntilMs) return answered(refusedUntilMs - timeline.nowMs);
    const { life } = gateway;
    const askedAtMs = timeline.nowMs;
    const id = `${this.scenario.seed}-${(this.asked += 1)}`;
    const call: CountedCall = { id, lane, gates: matchingQuotas(scenario.quotas, kind) };
    this.trip(() => {
      const nowMs = Math.floor(timeline.nowMs);
      const answer = this.counter.ask(call, nowMs, this.nodeMs(gateway));
      const simulated: SimulatedCall = { ...call, reservedAtMs: nowMs };
      if (answer.granted) this.calls.push(simulated);
      this.trip(() => {
        if (gateway.life !== life) return;
        if (!answer.granted) {
          const waitMs = Math.min(answer.retryInMs, RECHECK_MS);
          gateway.refusedUntilMs.set(question, timeline.nowMs + waitMs);
          return answered(waitMs);
        }
        if (this.counter.add) this.trip(() => this.counter.add?.(call, this.nodeMs(gateway)));
        answered(0);
        const stallMs = this.random.chance(scenario.stallChance) ? this.random.between(100, 20_000) : 0;
        const sendByMs = askedAtMs + SIMULATED_LEASE_MS - scenario.deadlineMs;
        timeline.after(stallMs, () => {
          if (gateway.life !== life) return;
          if (timeline.nowMs <= sendByMs) return this.send(gateway, simulated);
          this.trip(() => {
            simulated.releasedAtMs = Math.floor(timeline.nowMs);
            this.counter.release(call, simulated.releasedAtMs);
          });
        });
      });
    });
  }

  private send(gateway: Gateway, call: SimulatedCall): void {
    const { timeline, scenario, random } = this;
    const { life } = gateway;
    const latencyMs = random.chance(scenario.tailChance)
      ? random.between(scenario.latencyMeanMs, scenario.tailMs)
      : 0.3 * scenario.latencyMeanMs + random.gapMs(0.7 * scenario.latencyMeanMs);
    const wayMs = latencyMs * random.between(0.05, 0.95);
    let refusedBy: string | undefined;
    if (wayMs <= scenario.deadlineMs)
      timeline.after(wayMs, () => {
        call.arrivedAtMs = timeline.nowMs;
        refusedBy = this.upstream.arrive(limitsOf(call), timeline.nowMs, false);
        this.onArrival(call);
      });
    if (latencyMs > scenario.deadlineMs) return;
    timeline.after(latencyMs, () => {
      if (gateway.life !== life) return;
      this.trip(() => {
        call.settledAtMs = Math.floor(timeline.nowMs);
        this.counter.settle(call, call.settledAtMs);
        if (refusedBy !== undefined) this.counter.refusedByUpstream(refusedBy, call.settledAtMs);
      });
    });
  }

  /** Calm and bursts in turn. */
  private loadDirect(): void {
    const { calm, burst, untilMs } = this.scenario.directPerSecond;
    if (untilMs === 0) return;
    let perSecond = calm;
    this.repeat(8_000, () => (perSecond = perSecond === calm ? burst : calm));
    const next = (): void => {
      if (this.timeline.nowMs >= untilMs) return;
      this.ask(this.anyGateway(), 'direct');
      this.timeline.after(this.random.gapMs(1_000 / perSecond), next);
    };
    this.timeline.after(0, next);
  }

  private loadStranger(): void {
    const [quota] = matchingQuotas(this.scenario.quotas, { access: 'read', user: this.scenario.users[0] });
    const { limit, windowMs } = quota.definition;
    const callsTogether = this.random.pick([1, 1, 10]);
    this.repeat((callsTogether * windowMs) / (limit * this.scenario.strangerShare), () => {
      for (let call = 0; call < callsTogether; call += 1)
        this.upstream.arrive([{ quotaId: quota.quotaId, limit, windowMs }], this.timeline.nowMs, true);
    });
  }

  private repeat(meanMs: number, happen: () => void): void {
    if (!Number.isFinite(meanMs)) return;
    const next = (): void => {
      happen();
      this.timeline.after(this.random.gapMs(meanMs), next);
    };
    this.timeline.after(this.random.gapMs(meanMs), next);
  }

  /** To or from Redis: mostly quick, sometimes not. */
  private trip(arrive: () => void): void {
    const slow = this.random.chance(0.01);
    this.timeline.after(slow ? this.random.between(5, 200) : this.random.between(0.1, 2), arrive);
  }

  private nodeMs(gateway: Gateway): number {
    return Math.floor(this.timeline.nowMs + gateway.skewMs + 60_000);
  }

  private anyGateway(): Gateway | undefined {
    const gateway = this.random.pick(this.gateways);
    return gateway.up ? gateway : undefined;
  }

  private accessOf(lane: Lane): CallKind['access'] {
    if (lane === 'drain') return 'write';
    return lane === 'direct' && this.random.chance(0.4) ? 'write' : 'read';
  }
}

function limitsOf(call: CountedCall): { quotaId: string; limit: number; windowMs: number }[] {
  return call.gates.map(({ quotaId, definition: { limit, windowMs } }) => ({ quotaId, limit, windowMs }));
}

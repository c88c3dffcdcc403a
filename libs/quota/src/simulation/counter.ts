/** What counts the calls in a run: the policy of this lib, or the counter that the case study began with. */
import type { Lane } from '../policy/lane';
import type { QuotaInstance } from '../policy/quota-definition';
import { PolicyQuota, release, reportRefusal, reserve, settle, type PolicyReply } from '../policy/quota-policy';
import type { Scenario } from './scenario';

export interface CountedCall {
  readonly id: string;
  readonly lane: Lane;
  readonly gates: readonly QuotaInstance[];
}

export interface CounterAnswer {
  readonly granted: boolean;
  readonly retryInMs: number;
}

/** Whole milliseconds: `nowMs` of Redis's clock, `nodeMs` of the clock of the gateway that asks. */
export interface Counter {
  ask(call: CountedCall, nowMs: number, nodeMs: number): CounterAnswer;
  /** A second trip after a granted `ask`, where counting takes two. */
  add?(call: CountedCall, nodeMs: number): void;
  settle(call: CountedCall, nowMs: number): void;
  release(call: CountedCall, nowMs: number): void;
  refusedByUpstream(quotaId: string, nowMs: number): void;
}

/** One step of the policy with its answer: replayed against the scripts on Redis. */
export interface TracedStep {
  readonly command: 'reserve' | 'settle' | 'release' | 'reportRefusal';
  readonly gates: readonly QuotaInstance[];
  readonly args: readonly (string | number)[];
  readonly nowMs: number;
  readonly reply: PolicyReply;
}

export class PolicyCounter implements Counter {
  readonly quotas = new Map<string, PolicyQuota>();
  readonly modeChangesAtMs = new Map<string, number[]>();

  constructor(
    private readonly scenario: Scenario,
    private readonly trace?: TracedStep[],
  ) {}

  ask({ id, lane, gates }: CountedCall, nowMs: number): CounterAnswer {
    const reply = reserve(this.policyOf(gates), { id, lane }, nowMs);
    this.note('reserve', gates, [lane, id, '1'], reply);
    return { granted: reply.refusal === undefined, retryInMs: (reply.refusal?.retryAtMs ?? nowMs) - nowMs };
  }

  settle({ id, lane, gates }: CountedCall, nowMs: number): void {
    this.note('settle', gates, [lane, id], settle(this.policyOf(gates), { id, lane }, nowMs));
  }

  release({ id, lane, gates }: CountedCall, nowMs: number): void {
    this.note('release', gates, [lane, id], release(this.policyOf(gates), { id }, nowMs));
  }

  refusedByUpstream(quotaId: string, nowMs: number): void {
    const quota = this.quotas.get(quotaId) as PolicyQuota;
    const { rules } = quota;
    const definition = this.scenario.quotas.find(({ id }) => quotaId === id || quotaId.startsWith(`${id}:`));
    const gates = [{ quotaId, definition: definition as QuotaInstance['definition'] }];
    this.note('reportRefusal', gates, [rules.limit], reportRefusal(quota, rules.limit, nowMs));
  }

  private policyOf(gates: readonly QuotaInstance[]): PolicyQuota[] {
    return gates.map(({ quotaId, definition }) => {
      let quota = this.quotas.get(quotaId);
      if (quota === undefined) this.quotas.set(quotaId, (quota = new PolicyQuota(this.scenario.rules(definition))));
      return quota;
    });
  }

  private note(command: TracedStep['command'], gates: CountedCall['gates'], args: TracedStep['args'], reply: PolicyReply): void {
    gates.forEach(({ quotaId }, place) => {
      let changes = this.modeChangesAtMs.get(quotaId);
      if (changes === undefined) this.modeChangesAtMs.set(quotaId, (changes = []));
      while (changes.length < reply.quotas[place].modeChanges) changes.push(reply.nowMs);
    });
    this.trace?.push({ command, gates, args, nowMs: reply.nowMs, reply });
  }
}

/**
 * The counter that the case study began with, kept to show what it lets through: whole-second buckets by the clock of the
 * node, counted at the start of a call, check and add in two trips.
 */
export class CaseStudyCounter implements Counter {
  private readonly buckets = new Map<string, Map<number, number>>();

  constructor(private readonly ceilingShare: number) {}

  ask({ gates }: CountedCall, _nowMs: number, nodeMs: number): CounterAnswer {
    const second = Math.floor(nodeMs / 1_000);
    const granted = gates.every(({ quotaId, definition }) => {
      let used = 0;
      for (const [bucket, count] of this.bucketsOf(quotaId))
        if (bucket > second - definition.windowMs / 1_000 && bucket <= second) used += count;
      return used < Math.floor(definition.limit * this.ceilingShare + 1e-9);
    });
    return { granted, retryInMs: granted ? 0 : 1_000 };
  }

  add({ gates }: CountedCall, nodeMs: number): void {
    const second = Math.floor(nodeMs / 1_000);
    for (const { quotaId } of gates) {
      const buckets = this.bucketsOf(quotaId);
      buckets.set(second, (buckets.get(second) ?? 0) + 1);
      for (const bucket of buckets.keys()) if (bucket < second - 300) buckets.delete(bucket);
    }
  }

  settle(): void {}
  release(): void {}
  refusedByUpstream(): void {}

  private bucketsOf(quotaId: string): Map<number, number> {
    let buckets = this.buckets.get(quotaId);
    if (buckets === undefined) this.buckets.set(quotaId, (buckets = new Map<number, number>()));
    return buckets;
  }
}

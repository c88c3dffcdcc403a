import { Injectable } from '@nestjs/common';
import { seededRandom } from '../time/random';
import { delayOf, WRITE_FAULTS, type FaultPlan, type FaultRule } from './fault-plan';

export interface FaultyCall {
  readonly access: 'read' | 'write';
  readonly path: string;
  readonly method?: string;
  readonly spreadsheetId?: string;
  /** The body as it came: refuse-text looks for its text in it. */
  readonly bodyText: string;
}

export interface LatencySettings {
  readonly latencyMs: number;
  readonly latencyJitterMs: number;
}

/** The plan in force, with how often each rule has fired. Of the rules that fit a call the first one fires. */
@Injectable()
export class FaultInjector {
  private plan: FaultPlan = {};
  private fired: number[] = [];
  private seen: number[] = [];
  private random: () => number;
  private setAtMs = 0;

  constructor(
    private readonly defaults: LatencySettings & { readonly acceptClashingMetadataIds: boolean; readonly seed: number },
    private readonly nowMs: () => number = () => 0,
  ) {
    this.random = seededRandom(defaults.seed);
  }

  use(plan: FaultPlan): void {
    this.plan = plan;
    this.setAtMs = this.nowMs();
    this.fired = (plan.rules ?? []).map(() => 0);
    this.seen = (plan.rules ?? []).map(() => 0);
    this.random = seededRandom(plan.seed ?? this.defaults.seed);
  }

  describe(): Record<string, unknown> {
    const rules = (this.plan.rules ?? []).map((rule, index) => ({ ...rule, fired: this.fired[index] }));
    return { ...this.plan, ...this.latency, acceptClashingMetadataIds: this.acceptClashingMetadataIds, rules };
  }

  get acceptClashingMetadataIds(): boolean {
    return this.plan.acceptClashingMetadataIds ?? this.defaults.acceptClashingMetadataIds;
  }

  get latency(): LatencySettings {
    const { latencyMs = this.defaults.latencyMs, latencyJitterMs = this.defaults.latencyJitterMs } = this.plan;
    return { latencyMs, latencyJitterMs };
  }

  /** How far back old states are still asked for. */
  get historyMs(): number {
    return Math.max(0, ...(this.plan.rules ?? []).map((rule) => (rule.fault === 'lagging-reads' ? delayOf(rule) : 0)));
  }

  drawLatencyMs(): number {
    const { latencyMs, latencyJitterMs } = this.latency;
    return Math.max(0, latencyMs + (this.random() * 2 - 1) * latencyJitterMs);
  }

  pick(call: FaultyCall): FaultRule | undefined {
    for (const [index, rule] of (this.plan.rules ?? []).entries()) {
      if (!fits(rule, call) || !this.isTimeOf(rule)) continue;
      const seen = (this.seen[index] = (this.seen[index] ?? 0) + 1);
      const fired = this.fired[index] ?? 0;
      if (rule.times !== undefined && fired >= rule.times) continue;
      if (seen <= (rule.after ?? 0)) continue;
      if (rule.every !== undefined && (seen - (rule.after ?? 0)) % rule.every !== 0) continue;
      if (rule.probability !== undefined && this.random() >= rule.probability) continue;
      this.fired[index] = fired + 1;
      return rule;
    }
    return undefined;
  }

  private isTimeOf({ fromMs = 0, untilMs = Infinity }: FaultRule): boolean {
    const elapsedMs = this.nowMs() - this.setAtMs;
    return elapsedMs >= fromMs && elapsedMs < untilMs;
  }
}

function fits(rule: FaultRule, call: FaultyCall): boolean {
  if (rule.on !== undefined && rule.on !== 'any' && rule.on !== call.access) return false;
  if (WRITE_FAULTS.has(rule.fault) && call.access !== 'write') return false;
  if (rule.fault === 'lagging-reads' && call.access !== 'read') return false;
  if (rule.spreadsheetId !== undefined && rule.spreadsheetId !== call.spreadsheetId) return false;
  if (rule.method !== undefined && rule.method !== call.method) return false;
  if (rule.path !== undefined && !call.path.includes(rule.path)) return false;
  if (rule.fault !== 'refuse-text') return true;
  // The text as JSON writes it, so that quotes and the like are found too.
  return rule.text !== undefined && call.bodyText.includes(JSON.stringify(rule.text).slice(1, -1));
}

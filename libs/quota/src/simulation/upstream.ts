/**
 * The upstream as judge: it counts by its own rule, knows nothing of the ledger, and keeps the arrival of every call of ours.
 * A refused call does not count against its quota.
 */
export type UpstreamModel = 'sliding' | 'fixed' | 'token-bucket';

export interface UpstreamLimit {
  readonly limit: number;
  readonly windowMs: number;
}

interface Gate {
  admits(nowMs: number): boolean;
  count(nowMs: number): void;
}

/** At most `limit` in any window. */
class SlidingGate implements Gate {
  private readonly arrivals: number[] = [];
  private first = 0;
  constructor(private readonly rule: UpstreamLimit) {}
  admits(nowMs: number): boolean {
    while (this.arrivals[this.first] <= nowMs - this.rule.windowMs) this.first += 1;
    return this.arrivals.length - this.first < this.rule.limit;
  }
  count(nowMs: number): void {
    this.arrivals.push(nowMs);
  }
}

/** At most `limit` in each window of a fixed raster. */
class FixedGate implements Gate {
  private window = -1;
  private used = 0;
  constructor(
    private readonly rule: UpstreamLimit,
    private readonly phaseMs: number,
  ) {}
  admits(nowMs: number): boolean {
    const window = Math.floor((nowMs + this.phaseMs) / this.rule.windowMs);
    if (window !== this.window) [this.window, this.used] = [window, 0];
    return this.used < this.rule.limit;
  }
  count(): void {
    this.used += 1;
  }
}

/** A bucket of `limit`, refilled evenly over a window. */
class TokenBucketGate implements Gate {
  private tokens: number;
  private atMs = 0;
  constructor(private readonly rule: UpstreamLimit) {
    this.tokens = rule.limit;
  }
  admits(nowMs: number): boolean {
    const { limit, windowMs } = this.rule;
    this.tokens = Math.min(limit, this.tokens + ((nowMs - this.atMs) * limit) / windowMs);
    this.atMs = nowMs;
    return this.tokens >= 1;
  }
  count(): void {
    this.tokens -= 1;
  }
}

export class Upstream {
  private readonly gates = new Map<string, Gate>();
  /** Arrivals of our calls per quota, refused ones included: each was sent, so each had to be counted. */
  readonly ours = new Map<string, number[]>();
  refusedOurs = 0;

  constructor(
    private readonly model: UpstreamModel,
    private readonly phaseMs: number,
  ) {}

  /** Gives the quota that refuses the call, if one does. */
  arrive(quotas: readonly (UpstreamLimit & { quotaId: string })[], nowMs: number, stranger: boolean): string | undefined {
    const gates = quotas.map((quota) => this.gateOf(quota));
    if (!stranger) for (const { quotaId } of quotas) (this.ours.get(quotaId) as number[]).push(nowMs);
    const full = gates.findIndex((gate) => !gate.admits(nowMs));
    if (full >= 0) {
      if (!stranger) this.refusedOurs += 1;
      return quotas[full].quotaId;
    }
    for (const gate of gates) gate.count(nowMs);
    return undefined;
  }

  private gateOf(quota: UpstreamLimit & { quotaId: string }): Gate {
    let gate = this.gates.get(quota.quotaId);
    if (gate === undefined) {
      gate =
        this.model === 'sliding'
          ? new SlidingGate(quota)
          : this.model === 'fixed'
            ? new FixedGate(quota, this.phaseMs)
            : new TokenBucketGate(quota);
      this.gates.set(quota.quotaId, gate);
      this.ours.set(quota.quotaId, []);
    }
    return gate;
  }
}

/** Numbers of this process for operators. */
import { LANES, type Lane } from '../policy/lane';
import type { Refusal, RefusalReason } from '../policy/refusal';
import type { Mode } from '../policy/quota-state';
import type { SingleQuotaStatus } from './quota-status';

export type ReservationOutcome = 'granted' | 'would-refuse' | RefusalReason;

export interface QuotaMetricsSnapshot {
  /** Reservations by lane and outcome. `would-refuse`: granted only because refusing is switched off. */
  readonly reservations: Readonly<Record<Lane, Readonly<Partial<Record<ReservationOutcome, number>>>>>;
  /** Refusals that were answered without a round trip. */
  readonly answeredFromMemory: number;
  readonly settled: number;
  readonly released: number;
  readonly upstreamRefusals: number;
  /** Changes of the mode that were seen in the last minute, of the quota with most. */
  readonly modeChangesPerMinute: number;
  /** How long places stayed unused that time had freed and a refused lane was waiting for. */
  readonly freedPlaceUnusedMs: { readonly count: number; readonly sum: number; readonly max: number };
}

const MINUTE_MS = 60_000;
/** Users come from outside, so the number of quotas whose changes are remembered is bounded. */
const QUOTAS_MAX = 500;

export class QuotaMetrics {
  private readonly reservations = Object.fromEntries(LANES.map((lane) => [lane, {}])) as Record<
    Lane,
    Partial<Record<ReservationOutcome, number>>
  >;
  private readonly changes = new Map<string, { count: number; mode: Mode; seenAtMs: number[] }>();
  private readonly waited = new Map<string, number>();
  private readonly unused = { count: 0, sum: 0, max: 0 };
  settled = 0;
  released = 0;
  upstreamRefusals = 0;

  constructor(
    private readonly monotonicMs: () => number,
    private readonly onModeChange: (status: SingleQuotaStatus) => void = () => undefined,
  ) {}

  noteReservation(lane: Lane, outcome: ReservationOutcome): void {
    this.reservations[lane][outcome] = (this.reservations[lane][outcome] ?? 0) + 1;
  }

  /** A lane waits for a place that time frees at `retryAtMs` (Redis's clock). */
  noteWaiting(lane: Lane, refusal: Refusal): void {
    this.waited.set(lane, refusal.retryAtMs);
  }

  /** A lane that had waited got a place at `nowMs` (Redis's clock). */
  noteGranted(lane: Lane, nowMs: number): void {
    const freedAtMs = this.waited.get(lane);
    if (freedAtMs === undefined) return;
    this.waited.delete(lane);
    const unusedMs = Math.max(0, nowMs - freedAtMs);
    this.unused.count += 1;
    this.unused.sum += unusedMs;
    this.unused.max = Math.max(this.unused.max, unusedMs);
  }

  noteStatuses(statuses: readonly SingleQuotaStatus[]): void {
    const nowMs = this.monotonicMs();
    for (const status of statuses) {
      const { quotaId, modeChanges, mode } = status;
      const known = this.changes.get(quotaId);
      if (known === undefined && this.changes.size >= QUOTAS_MAX) continue;
      if (known === undefined) this.changes.set(quotaId, { count: modeChanges, mode, seenAtMs: [] });
      else if (modeChanges !== known.count) {
        for (let change = known.count; change < modeChanges; change += 1) known.seenAtMs.push(nowMs);
        known.count = modeChanges;
        while (known.seenAtMs[0] <= nowMs - MINUTE_MS) known.seenAtMs.shift();
      }
      if (known !== undefined && known.mode !== mode) {
        known.mode = mode;
        this.onModeChange(status);
      }
    }
  }

  snapshot(answeredFromMemory: number): QuotaMetricsSnapshot {
    const sinceMs = this.monotonicMs() - MINUTE_MS;
    const recent = [...this.changes.values()].map(({ seenAtMs }) => seenAtMs.filter((atMs) => atMs > sinceMs).length);
    return {
      reservations: structuredClone(this.reservations),
      answeredFromMemory,
      settled: this.settled,
      released: this.released,
      upstreamRefusals: this.upstreamRefusals,
      modeChangesPerMinute: Math.max(0, ...recent),
      freedPlaceUnusedMs: { ...this.unused },
    };
  }
}

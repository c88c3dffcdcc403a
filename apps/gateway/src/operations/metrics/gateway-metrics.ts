/** Adds to the metrics as things happen, and reads what Redis and the parts of this process hold when somebody scrapes. */
import { Inject, Injectable, Optional, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LANES, QuotaLedger } from '@app/quota';
import { SnapshotRegister, ViewStore } from '@app/sheet-view';
import { CALL_OUTCOMES, UNSENT_OUTCOMES, UpstreamClient } from '@app/sheets-client';
import { LogOverview } from '@app/write-log';
import { WriteProcessor } from '@app/write-queue';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Configuration } from '../../configuration';
import { CONFIGURATION } from '../../core/tokens';
import { Telemetry, type HttpAnswer } from '../telemetry';
import { defineMetrics, type Metrics } from './metrics';
import { SharedStateReader, type SharedState } from './shared-state';

/** As many as the register holds. */
const SNAPSHOTS_MAX = 500;

@Injectable()
export class GatewayMetrics implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly register = new Registry();
  private readonly metrics: Metrics = defineMetrics(this.register);
  private readonly shared = new SharedStateReader(() => this.readShared());
  private readonly unsubscribe: () => void;

  constructor(
    telemetry: Telemetry,
    private readonly ledger: QuotaLedger,
    private readonly overview: LogOverview,
    private readonly snapshots: SnapshotRegister,
    private readonly views: ViewStore,
    private readonly upstream: UpstreamClient,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Optional() private readonly processor?: WriteProcessor,
  ) {
    collectDefaultMetrics({ register: this.register });
    this.beginAtZero();
    const { upstreamCalls, upstreamSeconds, drainBatches, drainWritesSent, drainWritesApplied, writesFailed } = this.metrics;
    this.unsubscribe = telemetry.subscribe({
      httpAnswer: (answer) => this.countAnswer(answer),
      upstreamCall: ({ lane, access, outcome, durationMs }) => {
        upstreamCalls.inc({ lane, access, outcome });
        if (!UNSENT_OUTCOMES.has(outcome)) upstreamSeconds.observe({ lane, access }, durationMs / 1_000);
      },
      drainEvent: (event) => {
        if (event.kind === 'set-aside') return writesFailed.inc({ reason: event.reason }, event.writes);
        const { lane, writes } = event;
        if (event.kind === 'applied') return drainWritesApplied.inc({ lane }, writes);
        drainBatches.inc({ lane });
        drainWritesSent.inc({ lane }, writes);
      },
    });
  }

  onApplicationBootstrap(): void {
    if (this.processor === undefined) return;
    // From 0 on, so that a drain that never takes a job is seen to take none.
    this.metrics.drainTurns.inc(0);
    this.processor.worker.on('active', () => this.metrics.drainTurns.inc());
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.register.clear();
  }

  /** The text that Prometheus reads. Never fails for Redis: it says `gateway_redis_up 0` and leaves out what only Redis knows. */
  async text(): Promise<string> {
    const state = await this.shared.read();
    this.showShared(state);
    this.showOwn();
    return await this.register.metrics();
  }

  /** A rate sees no increase in a series that begins with its first event: the first failures of an outage would not count. */
  private beginAtZero(): void {
    for (const lane of LANES)
      for (const access of ['read', 'write'])
        for (const outcome of CALL_OUTCOMES) this.metrics.upstreamCalls.inc({ lane, access, outcome }, 0);
  }

  private countAnswer({ route, method, status, source, degraded, durationMs, ageSeconds }: HttpAnswer): void {
    const { requests, requestSeconds, servedAgeSeconds } = this.metrics;
    requests.inc({
      route,
      method,
      status_class: `${Math.floor(status / 100)}xx`,
      source,
      mode: degraded ? 'degraded' : 'direct',
    });
    requestSeconds.observe({ route, method }, durationMs / 1_000);
    if (ageSeconds !== undefined) servedAgeSeconds.observe(ageSeconds);
  }

  private async readShared(): Promise<SharedState> {
    const [status, backlog, { total, snapshots }] = await Promise.all([
      this.ledger.status(),
      this.overview.backlog(),
      this.snapshots.list(SNAPSHOTS_MAX),
    ]);
    return {
      quotas: status.all,
      pendingWrites: backlog.reduce((sum, { pendingWrites }) => sum + pendingWrites, 0),
      pendingSpreadsheets: backlog.length,
      oldestPendingAgeMs: Math.max(0, ...backlog.map(({ oldestAgeMs = 0 }) => oldestAgeMs)),
      snapshots: total,
      snapshotAgeMaxMs: Math.max(0, ...snapshots.map(({ ageMs }) => ageMs)),
    };
  }

  private showShared(state: SharedState | undefined): void {
    const m = this.metrics;
    m.redisUp.set(state === undefined ? 0 : 1);
    // What is no longer known must not be told as if it were: the series end until Redis is back.
    for (const metric of [m.quotaConsumed, m.quotaLimit, m.quotaInForce, m.quotaTrigger]) metric.reset();
    for (const metric of [m.quotaForeign, m.quotaClosed, m.quotaDegraded, m.modeChanges]) metric.reset();
    for (const metric of [m.degraded, m.pendingWrites, m.pendingSpreadsheets, m.oldestPendingSeconds]) metric.remove();
    for (const metric of [m.snapshots, m.snapshotAgeSeconds]) metric.remove();
    if (state === undefined) return;
    for (const { quotaId: quota, consumed, limit, limitInForce, foreignCalls, closedForMs, mode, modeChanges } of state.quotas) {
      m.quotaConsumed.set({ quota }, consumed);
      m.quotaLimit.set({ quota }, limit);
      m.quotaInForce.set({ quota }, limitInForce);
      m.quotaTrigger.set({ quota }, Math.floor(limitInForce * this.configuration.quota.triggerRatio));
      m.quotaForeign.set({ quota }, foreignCalls);
      m.quotaClosed.set({ quota }, closedForMs / 1_000);
      m.quotaDegraded.set({ quota }, mode === 'degraded' ? 1 : 0);
      m.modeChanges.inc({ quota }, modeChanges);
    }
    m.degraded.set(state.quotas.some(({ mode }) => mode === 'degraded') ? 1 : 0);
    m.pendingWrites.set(state.pendingWrites);
    m.pendingSpreadsheets.set(state.pendingSpreadsheets);
    m.oldestPendingSeconds.set(state.oldestPendingAgeMs / 1_000);
    m.snapshots.set(state.snapshots);
    m.snapshotAgeSeconds.set(state.snapshotAgeMaxMs / 1_000);
  }

  private showOwn(): void {
    const { reservations, upstreamFailing, openCircuits, nearCacheBytes, nearCacheViews } = this.metrics;
    openCircuits.set(this.upstream.circuits.openCount);
    upstreamFailing.set(this.upstream.health.failing ? 1 : 0);
    const { views, bytes } = this.views.facts();
    nearCacheViews.set(views);
    nearCacheBytes.set(bytes);
    reservations.reset();
    for (const [lane, outcomes] of Object.entries(this.ledger.metrics().reservations))
      for (const [outcome, count] of Object.entries(outcomes)) reservations.inc({ lane, outcome }, count);
  }
}

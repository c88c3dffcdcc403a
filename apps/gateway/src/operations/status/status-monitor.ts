/**
 * The state that the page shows: computed once a second while anybody looks, and shared by all who do. What Redis does not tell now is
 * shown as it was last, and marked so.
 */
import { Inject, Injectable } from '@nestjs/common';
import { wallMs, isRedisUnavailable } from '@app/platform';
import { LANES, QuotaLedger, type QuotaStatus } from '@app/quota';
import { SnapshotRegister, type SnapshotFacts } from '@app/sheet-view';
import { LogOverview, WriteLog, type SpreadsheetBacklog } from '@app/write-log';
import { WriteQueue } from '@app/write-queue';
import type { Redis } from 'ioredis';
import { CONFIGURATION, REDIS_FOR_REQUESTS } from '../../core/tokens';
import type { Configuration } from '../../configuration';
import { BUCKET_MS, SHOWN_MS, TimelineReader, TimelineRecorder, type Bucket } from '../timeline';
import { failedWrite } from './failed-write';
import { forecastDrain } from './forecast';
import { situationOf, type Facts } from './situation';
import type { FailedWrite, QuotaState, SnapshotState, StatusState } from './status-state';
import { judgeUpstream } from './upstream-verdict';

/** Lines of the two lists: what fits a screen. */
const SNAPSHOTS_SHOWN = 200;
const FAILURES_SHOWN = 8;

/** A process that has not reported for this long is not shown as running. */
const PROCESS_SEEN_MS = 3 * BUCKET_MS;

/** A look at Redis that takes longer is given up for now: the page must not stand still with it. */
const LOOK_MAX_MS = 1_500;

/** Errors with which a Redis that is up refuses to be written. */
const REFUSES_WRITES = /\b(OOM|READONLY|MISCONF|NOREPLICAS)\b/;

/** A younger state is good enough for who asks in between. */
const YOUNG_MS = 900;

/** What only Redis knows. */
interface Look {
  readonly atMs: number;
  readonly status: QuotaStatus | undefined;
  readonly backlog: readonly SpreadsheetBacklog[];
  readonly snapshots: { readonly total: number; readonly stalest: readonly SnapshotState[] };
  readonly failures: { readonly total: number; readonly latest: readonly FailedWrite[] };
}

const NOTHING_SEEN: Look = {
  atMs: 0,
  status: undefined,
  backlog: [],
  snapshots: { total: 0, stalest: [] },
  failures: { total: 0, latest: [] },
};

@Injectable()
export class StatusMonitor {
  private readonly timeline: TimelineReader;
  private last: Look = NOTHING_SEEN;
  private state: Promise<StatusState> | undefined;
  private stateAtMs = 0;

  constructor(
    private readonly ledger: QuotaLedger,
    private readonly overview: LogOverview,
    private readonly log: WriteLog,
    private readonly register: SnapshotRegister,
    private readonly queue: WriteQueue,
    private readonly recorder: TimelineRecorder,
    @Inject(REDIS_FOR_REQUESTS) private readonly redis: Redis,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    this.timeline = new TimelineReader(redis, configuration.keyPrefix, recorder);
  }

  /** At most one look per second, however many ask. Never throws for want of Redis. */
  async current(): Promise<StatusState> {
    if (this.state === undefined || wallMs() - this.stateAtMs >= YOUNG_MS) {
      this.stateAtMs = wallMs();
      this.state = this.compute();
    }
    return await this.state;
  }

  private async compute(): Promise<StatusState> {
    const redis = await this.look();
    const nowMs = wallMs();
    const { status, backlog, snapshots, failures, atMs } = this.last;
    const buckets = this.timeline.buckets(nowMs);
    const upstream = judgeUpstream(buckets, nowMs);
    const oldest = backlog.map(({ oldestAgeMs }) => oldestAgeMs ?? 0);
    // Ages go on while Redis is away.
    const sinceMs = Math.max(0, nowMs - atMs);
    const pending = {
      writes: backlog.reduce((sum, { pendingWrites }) => sum + pendingWrites, 0),
      spreadsheets: backlog.length,
      ...(backlog.length === 0 ? {} : { oldestAgeMs: Math.max(...oldest) + sinceMs }),
    };
    const forecast = forecastDrain(buckets, pending, nowMs);
    const quotas = (status?.all ?? []).map((quota) => this.quotaState(quota));
    const degradedQuotas = quotas.filter(({ mode }) => mode === 'degraded').map(({ quotaId }) => quotaId);
    return {
      atMs: nowMs,
      situation: situationOf({ redis, upstream, degradedQuotas, pending, forecast, nowMs }),
      ...(redis === 'away' && atMs > 0 ? { lastKnownAtMs: atMs } : {}),
      upstream,
      quotas,
      pending,
      forecast,
      snapshots: {
        ...snapshots,
        stalest: snapshots.stalest.map((snapshot) => ({ ...snapshot, ageMs: snapshot.ageMs + sinceMs })),
      },
      failures,
      processes: processesOf(buckets, nowMs),
      facts: {
        protection: this.configuration.protection,
        preset: this.configuration.quota.preset,
        enforced: this.configuration.quota.enforce,
        lanes: LANES,
      },
      timeline: { bucketMs: BUCKET_MS, shownMs: SHOWN_MS, buckets },
    };
  }

  /** Reads what Redis knows into `last`. */
  private async look(): Promise<Facts['redis']> {
    if (this.redis.status !== 'ready') return 'away';
    try {
      this.last = await within(LOOK_MAX_MS, this.read());
    } catch (error) {
      if (error instanceof TooSlow || isRedisUnavailable(error)) return 'away';
      throw error;
    }
    return REFUSES_WRITES.test(this.recorder.lastError?.message ?? '') ? 'refusing' : 'up';
  }

  private async read(): Promise<Look> {
    const [, status, backlog, snapshots, failures] = await Promise.all([
      this.timeline.refresh(wallMs()),
      this.ledger.status(YOUNG_MS).catch(() => this.ledger.lastStatus()),
      this.overview.backlog(),
      this.register.list(SNAPSHOTS_SHOWN),
      this.readFailures(),
    ]);
    const stalest = snapshots.snapshots.map((facts) => this.snapshotState(facts));
    return { atMs: wallMs(), status, backlog, snapshots: { total: snapshots.total, stalest }, failures };
  }

  private async readFailures(): Promise<Look['failures']> {
    const { total, latest } = await this.overview.failures(FAILURES_SHOWN);
    return {
      total,
      latest: await Promise.all(latest.map(async (receipt) => failedWrite(receipt, await this.queue.hasJob(receipt.id)))),
    };
  }

  private quotaState(quota: QuotaStatus['all'][number]): QuotaState {
    const { triggerRatio, exitRatio } = this.ledger.options;
    const { quotaId, mode, windowMs, consumed, configuredLimit, learntLimit, limitInForce } = quota;
    return {
      quotaId,
      mode,
      windowMs,
      consumed,
      trigger: Math.floor(limitInForce * triggerRatio),
      exit: Math.floor(limitInForce * exitRatio),
      configuredLimit,
      ...(learntLimit === undefined ? {} : { learntLimit }),
      limitInForce,
      foreignCalls: quota.foreignCalls,
      closedForMs: quota.closedForMs,
      modeChanges: quota.modeChanges,
    };
  }

  /** A spreadsheet that had no write yet is known by its tag only, unless it is the configured one. */
  private snapshotState({ spreadsheetId, spreadsheetTag, title, ageMs, pendingWrites }: SnapshotFacts): SnapshotState {
    const configured = this.configuration.spreadsheetId;
    const isConfigured = this.log.keysOf(configured).tag === spreadsheetTag;
    const spreadsheet = spreadsheetId !== '' ? spreadsheetId : isConfigured ? configured : spreadsheetTag;
    return { spreadsheet, sheet: title, ageMs, pendingWrites };
  }
}

function processesOf(buckets: readonly Bucket[], nowMs: number): Record<string, string> {
  const recent = buckets.filter(({ startMs }) => startMs > nowMs - PROCESS_SEEN_MS);
  return Object.assign({}, ...recent.map(({ processes }) => processes)) as Record<string, string>;
}

class TooSlow extends Error {}

async function within<T>(maxMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no answer within ${maxMs} ms`)), maxMs);
  });
  // What comes after the time is nobody's any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

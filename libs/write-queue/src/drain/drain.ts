/**
 * Sends the pending writes of a spreadsheet to the upstream, in order, in batches, until nothing is pending or something says
 * wait. One function for everybody: the handler of a direct write, and the processor of the queue.
 *
 * Per process one round of a spreadsheet runs at a time; between processes the writer lease sees to that.
 */
import { randomBytes } from 'node:crypto';
import { monotonicMs, pause, type RedisClient } from '@app/platform';
import type { CallLane, SheetsApi } from '@app/sheets-client';
import {
  commitEntryId,
  isRowsWrite,
  WriterLease,
  type CommitEntry,
  type DrainState,
  type RowsWrite,
  type SpreadsheetKeys,
  type WriteLog,
} from '@app/write-log';
import { planBatch } from '../batch/plan-batch';
import { appendsCells, leadingPositioned, planCells } from '../batch/plan-cells';
import type { Backoff } from './backoff';
import type { BatchSender, Sending } from './batch-sender';
import { tellSetAside } from './drain-observer';
import { COMMIT_ENTRIES_KEPT, COMMIT_ENTRIES_PRUNED_FROM, type DrainOptions } from './drain-options';
import type { DrainPauses } from './drain-pauses';
import type { Grids, GridSource } from './grid-source';
import { Contention } from './contention';
import { IDLE, PROGRESS, wait, type RoundOutcome, type Wait } from './round-outcome';

export type DrainOutcome = { readonly kind: 'settled' } | Wait | { readonly kind: 'late' };

/** How often a waiter looks whether another process, which holds the lease, has settled its write. */
const LEASE_RETRY_MS = 60;
const LAGGING_RETRY_MS = 1_000;
/** After so many batches that were refused for what their answer shall show, one asks for nothing. */
const MISLED_MAX = 3;

/** Writes that only change cells where they say need no look at the sheet; every so many batches there is one, for the commit entries. */
const LOOK_EVERY_BATCHES = 50;
const NO_GRIDS: Grids = { kind: 'grids', grids: new Map() };
/** A paused spreadsheet's jobs come back so often; its resumption wakes them. */
const PAUSED_RETRY_MS = 10_000;

export class Drain {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly appliedThrough = new Map<string, number>();
  private readonly contention = new Contention();

  constructor(
    private readonly redis: RedisClient,
    private readonly log: WriteLog,
    private readonly api: SheetsApi,
    private readonly grids: GridSource,
    private readonly sender: BatchSender,
    private readonly backoff: Backoff,
    private readonly options: DrainOptions,
    private readonly pauses: DrainPauses,
  ) {}

  /**
   * For a direct write: drains until it is settled, or says that so many write this spreadsheet at once that it had better be
   * queued.
   */
  async settleDirect(
    spreadsheetId: string,
    number: number,
    deadlineMs: number,
  ): Promise<DrainOutcome | { readonly kind: 'contended' }> {
    const name = this.log.keysOf(spreadsheetId).base;
    if (this.contention.isContended(name)) return { kind: 'contended' };
    return await this.contention.whileWaiting(name, () => this.drainThrough(spreadsheetId, number, 'direct', deadlineMs));
  }

  /**
   * Drains until the write of that number is settled (whatever its verdict).
   * A short hold-up by another writer or by the pace is waited out; else the caller is told when to come back.
   */
  async drainThrough(spreadsheetId: string, number: number, lane: CallLane, deadlineMs: number): Promise<DrainOutcome> {
    const keys = this.log.keysOf(spreadsheetId);
    const endMs = monotonicMs() + deadlineMs;
    for (;;) {
      const outcome = await this.inTurn(keys, async () =>
        (await this.isSettledForSure(keys, number)) ? IDLE : await this.round(keys, spreadsheetId, lane),
      );
      if (outcome.kind === 'idle' || this.isSettled(keys, number)) return { kind: 'settled' };
      if (monotonicMs() >= endMs) return { kind: 'late' };
      if (outcome.kind === 'wait') {
        const brief = outcome.reason === 'lease' || outcome.reason === 'pace';
        if (!(brief && monotonicMs() + outcome.retryInMs < endMs)) return outcome;
        await pause(outcome.retryInMs);
      }
    }
  }

  /** Our own mark may be ahead of a Redis that has lost its end: believed only after asking. */
  private async isSettledForSure(keys: SpreadsheetKeys, number: number): Promise<boolean> {
    if (!this.isSettled(keys, number)) return false;
    await this.readState(keys);
    return this.isSettled(keys, number);
  }

  private isSettled(keys: SpreadsheetKeys, number: number): boolean {
    return (this.appliedThrough.get(keys.base) ?? 0) >= number;
  }

  /** One after the other, per spreadsheet. */
  private async inTurn<T>(keys: SpreadsheetKeys, work: () => Promise<T>): Promise<T> {
    const before = this.running.get(keys.base) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.running.set(keys.base, mine);
    try {
      return await mine;
    } finally {
      if (this.running.get(keys.base) === mine) this.running.delete(keys.base);
    }
  }

  private async round(keys: SpreadsheetKeys, spreadsheetId: string, lane: CallLane): Promise<RoundOutcome> {
    const backoffMs = this.backoff.remainingMs(keys.base);
    if (backoffMs > 0) return wait('upstream', backoffMs);
    if (await this.pauses.isPaused(keys)) return wait('paused', PAUSED_RETRY_MS);
    const lease = await WriterLease.take(this.redis, keys, this.options.leaseMs);
    if (lease === undefined) {
      await this.readState(keys);
      return wait('lease', LEASE_RETRY_MS);
    }
    try {
      return await this.roundWithLease(keys, spreadsheetId, lane, lease);
    } finally {
      await this.readState(keys).catch(() => undefined);
      await lease.giveBack().catch(() => undefined);
    }
  }

  private async readState(keys: SpreadsheetKeys): ReturnType<WriteLog['drainState']> {
    const state = await this.log.drainState(keys);
    this.appliedThrough.set(keys.base, state.appliedThrough);
    return state;
  }

  private async roundWithLease(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    lane: CallLane,
    lease: WriterLease,
  ): Promise<RoundOutcome> {
    const state = await this.readState(keys);
    const sending: Sending = { keys, spreadsheetId, epoch: state.epoch, lane, lease };
    const paced = lane !== 'direct' || this.options.paceDirectWrites;
    if (state.frozen === undefined && state.appliedThrough >= state.tail) return IDLE;
    if (paced && state.paceMs > 0) return wait('pace', state.paceMs);
    if (state.frozen !== undefined) return await this.sender.send(sending, state.frozen, { found: true });

    const first = state.appliedThrough + 1;
    const rowsMax = this.sender.rowsMaxNext.get(keys.base) ?? this.options.limits.rowsMax;
    const { writes, last } = await this.log.pending(keys, first, rowsMax);
    if (writes.length === 0) {
      await this.log.settleUnsent(keys, last, []);
      return PROGRESS;
    }
    const positioned = leadingPositioned(writes);
    if (positioned.length > 0) return await this.positionedRound(sending, first, positioned);
    const end = writes.findIndex((write) => !isRowsWrite(write));
    const rows = (end < 0 ? writes : writes.slice(0, end)).filter(isRowsWrite);
    return await this.rowsRound(sending, state, first, rows, end < 0 ? last : writes[end].number - 1, rowsMax);
  }

  /** Writes that name positions themselves; see batch/plan-cells.ts. */
  private async positionedRound(
    sending: Sending,
    first: number,
    writes: ReturnType<typeof leadingPositioned>,
  ): Promise<RoundOutcome> {
    const { keys, lane } = sending;
    const before = await this.log.drainState(keys);
    const looked = before.batchNumber % LOOK_EVERY_BATCHES === LOOK_EVERY_BATCHES - 1 ? writes : writes.filter(appendsCells);
    const source =
      looked.length === 0 ? NO_GRIDS : await this.grids.gridsFor(keys, sending.spreadsheetId, looked, lane, { looking: true });
    if (source.kind !== 'grids') return await this.withoutGrids(keys, source);
    if (source.entries !== undefined && before.sinceUnknownMs > this.options.upstreamLagMaxMs)
      await this.prune(sending, source.entries);
    // The read may have raised the number: ask again.
    const { batchNumber } = await this.log.drainState(keys);
    const plan = planCells({
      writes,
      first,
      grids: source.grids,
      shifts: await this.log.rowShifts(keys),
      batchNumber: batchNumber + 1,
      batchId: randomBytes(6).toString('hex'),
      epoch: sending.epoch,
      limits: this.options.limits,
    });
    await this.log.setAside(keys, 'failed', plan.setAside);
    tellSetAside(this.options.observe, plan.setAside);
    if (plan.batch === undefined) {
      await this.log.settleUnsent(keys, plan.last, []);
      return PROGRESS;
    }
    if (lane === 'direct') this.contention.called(keys.base);
    await this.log.keepRowShifts(keys, plan.shifts);
    return await this.sender.send(sending, plan.batch, { found: false });
  }

  private async withoutGrids(keys: SpreadsheetKeys, source: Exclude<Grids, { kind: 'grids' }>): Promise<RoundOutcome> {
    if (source.kind === 'lagging') return wait('lagging', LAGGING_RETRY_MS);
    if (source.outcome.kind === 'refused') return wait('quota', source.outcome.refusal.retryInMs);
    if (source.outcome.kind === 'rejected') await this.sender.noteWaiting(keys, source.outcome, { writing: false });
    return wait('upstream', this.backoff.failed(keys.base));
  }

  private async rowsRound(
    sending: Sending,
    state: DrainState,
    first: number,
    writes: readonly RowsWrite[],
    last: number,
    rowsMax: number,
  ): Promise<RoundOutcome> {
    const { keys, lane, spreadsheetId } = sending;
    const misled = this.sender.misled.get(keys.base) ?? 0;
    const source = await this.grids.gridsFor(keys, spreadsheetId, writes, lane, { looking: misled > 0 });
    if (source.kind !== 'grids') return await this.withoutGrids(keys, source);
    if (source.entries !== undefined && state.sinceUnknownMs > this.options.upstreamLagMaxMs)
      await this.prune(sending, source.entries);
    // The read may have raised the number: ask again.
    const { batchNumber } = await this.log.drainState(keys);
    const plan = planBatch({
      writes,
      first,
      last,
      grids: source.grids,
      keyColumnName: this.options.keyColumnName,
      batchNumber: batchNumber + 1,
      batchId: randomBytes(6).toString('hex'),
      epoch: state.epoch,
      limits: { ...this.options.limits, rowsMax },
      withoutAnswer: misled >= MISLED_MAX,
    });
    await this.log.setAside(keys, 'failed', plan.setAside);
    tellSetAside(this.options.observe, plan.setAside);
    if (plan.batch !== undefined && plan.batch.body.requests.length > 1) {
      if (lane === 'direct') this.contention.called(keys.base);
      return await this.sender.send(sending, plan.batch, { found: false });
    }
    // Writes that cancel each other out, and those that were set aside, need no call.
    await this.log.settleUnsent(keys, plan.last, plan.batch?.numbers ?? []);
    return PROGRESS;
  }

  private async prune(sending: Sending, entries: readonly CommitEntry[]): Promise<void> {
    if (entries.length < COMMIT_ENTRIES_PRUNED_FROM) return;
    const requests = entries.slice(0, entries.length - COMMIT_ENTRIES_KEPT).map((entry) => ({
      deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId: commitEntryId(entry.batchNumber) } } },
    }));
    // Whatever comes of it: the next fetch shows which entries are left.
    await this.api.batchUpdate(sending.spreadsheetId, { requests }, sending.lane, async () => await sending.lease.renew());
  }
}

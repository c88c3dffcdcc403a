/**
 * Sends one batch and draws the conclusion from what comes back. The only place that writes to the upstream.
 *
 *   frozen before it is sent ── 2xx ──────────────────────────────▶ settled
 *      │  ▲                 ── 4xx of the only attempt ───────────▶ thawed: the bad write set aside, the rest planned anew
 *      │  │                 ── time-out, cut, 5xx, unreadable ────▶ undecided: sent again, the same words under the same number
 *      │  └── sent again ── the number is refused as taken, by us ▶ it was applied: settled
 *      │      (one that names positions is not sent again: the spreadsheet is asked, as below)
 *      └──── undecided, and refused for another reason ───────────▶ fenced: its number is used up by an empty entry, so that no
 *                                                                   late attempt can ever apply; then thawed
 *
 * The fence was chosen over waiting until no attempt can be late any more (200 s): it decides at once, for one call.
 */
import { randomBytes } from 'node:crypto';
import type { BatchUpdateAnswer, CallLane, SheetsApi, UpstreamAnswer } from '@app/sheets-client';
import { step, testedWithout, wallMs } from '@app/platform';
import {
  commitEntryId,
  commitEntryRequest,
  commitEntryValue,
  readCommitEntries,
  type FrozenBatch,
  type SpreadsheetKeys,
  type WriteLog,
  type WriterLease,
} from '@app/write-log';
import { landedRows } from '../batch/landed-rows';
import { movedColumns } from '../batch/moved-columns';
import { movedRows } from '../batch/moved-rows';
import { ShownCells } from '../batch/shown-cells';
import type { Backoff } from './backoff';
import { tellSetAside } from './drain-observer';
import { BACKOFF_SPREADSHEET_MS, type DrainOptions } from './drain-options';
import { PROGRESS, wait, type RoundOutcome } from './round-outcome';
import { waitingReason } from './waiting-reason';

export interface Sending {
  readonly keys: SpreadsheetKeys;
  readonly spreadsheetId: string;
  readonly epoch: string;
  readonly lane: CallLane;
  readonly lease: WriterLease;
}

/** Somebody else is at work: long enough for a round trip or two of theirs. */
const WITHHELD_RETRY_MS = 60;

/** The workbook is full: no smaller batch would help. Source: "This action would increase the number of cells in the workbook above the limit". */
const CONCERNS_THE_WORKBOOK = /above the limit of \d+ cells/;

/** A range that the answer shall show is not there. Source: errors of the A1 notation. */
const NOT_TO_BE_SHOWN = /Unable to parse range|exceeds grid limits/;

export type Rejected = Extract<UpstreamAnswer<unknown>, { kind: 'rejected' }>;

export class BatchSender {
  /** Spreadsheets whose next batch has to be smaller, since the last one was refused without saying which write was bad. */
  readonly rowsMaxNext = new Map<string, number>();
  /**
   * Spreadsheets whose next batch must not be planned by a look of some time ago, since that told the columns or the tab's title wrong:
   * how often in a row that was so.
   */
  readonly misled = new Map<string, number>();

  constructor(
    private readonly api: SheetsApi,
    private readonly log: WriteLog,
    private readonly backoff: Backoff,
    private readonly options: DrainOptions,
  ) {}

  /** @param found the batch was frozen before this round: an attempt of it may be anywhere. */
  async send(sending: Sending, batch: FrozenBatch, { found }: { found: boolean }): Promise<RoundOutcome> {
    const { keys, lease } = sending;
    // Its positions are as old as the batch: a person may have moved the rows since.
    if (found && hasPositions(batch)) return await this.askTheSpreadsheet(sending, batch);
    const attempt: FrozenBatch = {
      ...batch,
      attempts: batch.attempts + 1,
      ...(found ? { undecidedSinceMs: batch.undecidedSinceMs ?? wallMs() } : {}),
    };
    const { wantsReplies } = batch;
    const beforeSend = async (): Promise<boolean> => {
      if (sending.lane !== 'direct' || this.options.paceDirectWrites) await this.log.setPace(keys, this.options.paceMs);
      const frozen = await this.log.freeze(keys, lease.token, lease.durationMs, attempt);
      if (frozen) step('before-send');
      return frozen;
    };
    const answer = await this.api.batchUpdate(sending.spreadsheetId, batch.body, sending.lane, beforeSend, { wantsReplies });
    step('after-answer');
    if (answer.kind !== 'refused' && answer.kind !== 'withheld')
      this.options.observe?.({ kind: 'batch-sent', lane: sending.lane, writes: batch.numbers.length });
    switch (answer.kind) {
      case 'answered':
        return await this.applied(sending, attempt, answer.body);
      case 'refused':
        return wait('quota', answer.refusal.retryInMs);
      case 'withheld':
        // Another writer has the lease, or the batch changed under our hands: look again.
        return wait('lease', WITHHELD_RETRY_MS);
      case 'unreachable':
        await this.thawIfDecided(keys, attempt);
        return wait('upstream', this.backoff.failed(keys.base));
      case 'unknown':
        await this.log.freeze(keys, lease.token, lease.durationMs, {
          ...attempt,
          undecidedSinceMs: attempt.undecidedSinceMs ?? wallMs(),
        });
        if (testedWithout('frozen-batches')) await this.log.thaw(keys, attempt, { numberUsed: true });
        return wait('upstream', this.backoff.failed(keys.base));
      case 'rejected':
        return await this.rejected(sending, attempt, answer);
    }
  }

  private async applied(sending: Sending, batch: FrozenBatch, answer: BatchUpdateAnswer): Promise<RoundOutcome> {
    if (batch.wantsReplies === true)
      await this.log.keepReply(sending.keys, batch.numbers[0], JSON.stringify(answer.replies?.slice(1) ?? []));
    const shown = new ShownCells(answer);
    const columns = movedColumns(batch, shown);
    // Where the columns moved, keys were looked for in the wrong one: the first verdict stands.
    const told = new Set(columns.map(({ number }) => number));
    const moved = [...columns, ...movedRows(batch, shown).filter(({ number }) => !told.has(number))];
    await this.log.setAside(sending.keys, 'failed', moved);
    tellSetAside(this.options.observe, moved);
    const numbers = batch.numbers.filter((number) => !moved.some((verdict) => verdict.number === number));
    const outcome = await this.settled(sending, { ...batch, numbers }, landedRows({ ...batch, numbers }, shown));
    if (columns.length > 0) this.misled.set(sending.keys.base, 1);
    return outcome;
  }

  private async settled(
    { keys, lane }: Sending,
    batch: FrozenBatch,
    landed?: ReturnType<typeof landedRows>,
  ): Promise<RoundOutcome> {
    step('before-settle');
    await this.log.settle(keys, batch, landed);
    if (batch.wantsReplies === true) await this.log.dropEntry(keys, batch.numbers[0]);
    step('after-settle');
    this.options.observe?.({ kind: 'applied', lane, writes: batch.numbers.length });
    this.backoff.succeeded(keys.base);
    this.rowsMaxNext.delete(keys.base);
    this.misled.delete(keys.base);
    return PROGRESS;
  }

  /** Says on the receipts why the writes are held, where only a person can help. */
  async noteWaiting(keys: SpreadsheetKeys, answer: Rejected, { writing }: { readonly writing: boolean }): Promise<void> {
    const { accounts } = this.api.client.accounts;
    const emails = accounts.flatMap(({ email }) => email ?? []);
    const reason = waitingReason(answer, { emails, writing });
    if (reason !== undefined) await this.log.noteWaiting(keys, reason);
  }

  private async thawIfDecided(keys: SpreadsheetKeys, batch: FrozenBatch): Promise<void> {
    if (batch.undecidedSinceMs === undefined) await this.log.thaw(keys, batch, { numberUsed: false });
  }

  private async rejected(sending: Sending, batch: FrozenBatch, answer: Rejected): Promise<RoundOutcome> {
    const { keys } = sending;
    if (answer.status === 429 || answer.status === 401 || answer.status === 403 || answer.status === 404) {
      await this.thawIfDecided(keys, batch);
      await this.noteWaiting(keys, answer, { writing: true });
      return wait(
        answer.status === 429 ? 'quota' : 'upstream',
        this.backoff.failed(keys.base, answer.status === 429 ? 1_000 : BACKOFF_SPREADSHEET_MS),
      );
    }
    const index = refusedRequest(answer.message);
    const undecided = batch.undecidedSinceMs !== undefined;
    // Our own entry was refused, or an earlier attempt may have been applied: only the spreadsheet can say.
    if (undecided || index === 0) return await this.askTheSpreadsheet(sending, batch);

    if (CONCERNS_THE_WORKBOOK.test(answer.message)) {
      await this.thawIfDecided(keys, batch);
      await this.log.noteWaiting(keys, { code: 'workbook-full', message: answer.message });
      return wait('upstream', this.backoff.failed(keys.base, BACKOFF_SPREADSHEET_MS));
    }
    if (index === undefined && batch.body.responseRanges !== undefined && NOT_TO_BE_SHOWN.test(answer.message)) {
      // A tab renamed, or rows removed, since the look: no write is to blame.
      await this.thawIfDecided(keys, batch);
      this.misled.set(keys.base, (this.misled.get(keys.base) ?? 0) + 1);
      return PROGRESS;
    }
    const named = index === undefined ? [] : (batch.numbersByRequest[index] ?? []);
    // Only a request that carries out one write says which one is bad; else half of the batch is tried, and so on.
    const bad = named.length === 1 ? named : batch.numbers.length === 1 ? batch.numbers : [];
    // Another writer may have sent it again since, if this process was paused: then the refusal says nothing of that attempt.
    if (!(await this.log.thaw(keys, batch, { numberUsed: false }))) return wait('lease', WITHHELD_RETRY_MS);
    const verdicts = bad.map((number) => ({ number, code: 'rejected-by-upstream', message: answer.message }));
    await this.log.setAside(keys, 'failed', verdicts, { unlessFrozen: true });
    tellSetAside(this.options.observe, verdicts);
    if (bad.length === 0) this.rowsMaxNext.set(keys.base, Math.ceil(batch.numbers.length / 2));
    return PROGRESS;
  }

  private async askTheSpreadsheet(sending: Sending, batch: FrozenBatch): Promise<RoundOutcome> {
    const { keys } = sending;
    const answer = await this.api.fetchMetadata(sending.spreadsheetId, commitEntryId(batch.number), sending.lane);
    if (answer.kind === 'answered') {
      const [entry] = readCommitEntries([answer.body]);
      if (entry !== undefined && entry.batchId === batch.id) return await this.settled(sending, batch);
      // The number is somebody else's, for ever: no attempt of this batch can be applied, then or later.
      await this.log.raiseBatchNumber(keys, batch.number);
      await this.log.thaw(keys, batch, { numberUsed: true });
      return PROGRESS;
    }
    if (answer.kind === 'refused') return wait('quota', answer.refusal.retryInMs);
    if (answer.kind === 'rejected' && answer.status === 404) return await this.fence(sending, batch);
    return wait('upstream', this.backoff.failed(keys.base));
  }

  /** Uses up the number of a batch that is not there, so that none of its attempts can be applied any more. */
  private async fence(sending: Sending, batch: FrozenBatch): Promise<RoundOutcome> {
    const { keys } = sending;
    const empty = { epoch: sending.epoch, batchId: randomBytes(6).toString('hex'), first: 0, last: 0, leftOut: [] };
    const body = { requests: [commitEntryRequest(batch.number, commitEntryValue(empty) as string)] };
    const answer = await this.api.batchUpdate(sending.spreadsheetId, body, sending.lane, async () => await sending.lease.renew());
    if (answer.kind === 'answered') {
      await this.log.thaw(keys, batch, { numberUsed: true });
      return PROGRESS;
    }
    if (answer.kind === 'refused') return wait('quota', answer.refusal.retryInMs);
    return wait('upstream', this.backoff.failed(keys.base));
  }
}

/** Whether the batch says where a row was when it was planned; appended rows go to the end, wherever that is. */
function hasPositions(batch: FrozenBatch): boolean {
  return batch.body.requests.some(
    (request) => !('appendCells' in (request as object)) && !('createDeveloperMetadata' in (request as object)),
  );
}

/** The index in `Invalid requests[12].updateCells: ...`. Source: errors of spreadsheets.batchUpdate. */
function refusedRequest(message: string): number | undefined {
  const parts = /^Invalid requests\[(\d+)\]/.exec(message);
  return parts === null ? undefined : Number(parts[1]);
}

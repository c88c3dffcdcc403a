/**
 * The one write path: every write is accepted into the log. The mode only decides what follows.
 *
 *   direct    the handler drains the spreadsheet at once and waits for its write    200 / 201, or the verdict against it
 *   degraded  the quota refuses, or the upstream takes too long: a job is added     202, the receipt tells the rest
 */
import { Inject, Injectable } from '@nestjs/common';
import { CodedError, wallMs } from '@app/platform';
import { QuotaGuard } from '@app/quota';
import type { Tab } from '@app/sheet-view';
import { BACKOFF_SPREADSHEET_MS, Drain, WriteQueue, type Wait } from '@app/write-queue';
import { WriteLog, type Receipt, type WriteOperation, type WriteRequest } from '@app/write-log';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { digestsOf, type Idempotency } from '../writes/idempotency';
import { keyTaken } from './row-input';
import { noRoomError } from './no-room';
import { WorkbookGuard } from './workbook-guard';
import { writeRejected } from './write-errors';

export type WriteDegradedReason =
  'quota' | 'write-contention' | 'upstream-unavailable' | 'upstream-slow' | 'waiting' | 'drain-paused';

/** A refusal for want of permission is believed for so long; while writes wait, it is asked for again more often. */
const PERMISSION_TRUSTED_MS = 2 * BACKOFF_SPREADSHEET_MS;

/** What holds up the drain, as the client of a direct write is told it. */
const DEGRADED_BY_WAIT: Readonly<Record<Wait['reason'], WriteDegradedReason>> = {
  quota: 'quota',
  upstream: 'upstream-unavailable',
  paused: 'drain-paused',
  pace: 'upstream-slow',
  lease: 'upstream-slow',
  lagging: 'upstream-slow',
};

export interface WriteAnswer {
  readonly receipt: Receipt;
  /** Absent: the upstream has it. */
  readonly degraded?: WriteDegradedReason;
}

/** What is to be written, and to which tab. */
export type AcceptedRequest = Pick<WriteRequest, 'sheetId' | 'sheetTitle' | 'operation'>;

export interface Accepted {
  readonly number: number;
  readonly id: string;
  /** It was accepted before, under the same Idempotency-Key. */
  readonly isRepeated: boolean;
}

@Injectable()
export class WritePath {
  constructor(
    private readonly log: WriteLog,
    private readonly drain: Drain,
    private readonly queue: WriteQueue,
    private readonly quotaGuard: QuotaGuard,
    private readonly workbook: WorkbookGuard,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The answer to an earlier request with the same Idempotency-Key, if there was one. */
  async repeated(spreadsheetId: string, idempotency: Idempotency | undefined): Promise<WriteAnswer | undefined> {
    if (idempotency === undefined) return undefined;
    const { key, bodyDigest } = digestsOf(idempotency);
    const earlier = await this.log.findRepeated(spreadsheetId, key);
    if (earlier === undefined) return undefined;
    if (earlier.bodyDigest !== bodyDigest) throw keyReused();
    return await this.answerOf(earlier.id);
  }

  async write(
    spreadsheetId: string,
    tab: Tab,
    operation: WriteOperation,
    idempotency: Idempotency | undefined,
  ): Promise<WriteAnswer> {
    return await this.writeAll(spreadsheetId, [{ sheetId: tab.sheetId, sheetTitle: tab.title, operation }], idempotency);
  }

  /** Several at once, in their order; the answer speaks of the last one. */
  async writeAll(
    spreadsheetId: string,
    requests: readonly AcceptedRequest[],
    idempotency: Idempotency | undefined,
  ): Promise<WriteAnswer> {
    const accepted: Accepted[] = [];
    for (const [at, request] of requests.entries()) {
      const own = at === 0 || idempotency === undefined ? idempotency : { ...idempotency, key: `${idempotency.key} ${at}` };
      accepted.push(await this.accept(spreadsheetId, request, own));
    }
    const last = accepted[accepted.length - 1];
    if (last.isRepeated) return await this.answerOf(last.id);
    const degraded = await this.tryDirect(spreadsheetId, last.number);
    const receipts = await Promise.all(accepted.map(({ id }) => this.receipt(id)));
    const receipt = receipts[receipts.length - 1];
    if (degraded === undefined) {
      const failed = receipts.find(({ state }) => state === 'failed');
      if (failed !== undefined) throw writeRejected(failed);
      return { receipt };
    }
    for (const one of receipts) await this.queue.add(one);
    // The upstream is there: it refuses this spreadsheet, and the receipt says why.
    return { receipt, degraded: degraded === 'upstream-unavailable' && receipt.waiting !== undefined ? 'waiting' : degraded };
  }

  /** Into the log and no further. @throws CodedError */
  async accept(spreadsheetId: string, write: AcceptedRequest, idempotency: Idempotency | undefined): Promise<Accepted> {
    await this.expectPermission(spreadsheetId);
    const request = { ...write, ...(idempotency === undefined ? {} : { idempotency: digestsOf(idempotency) }) };
    let accepted = await this.log.accept(spreadsheetId, request);
    if (accepted.kind === 'workbook-full' && (await this.workbook.lookAgain(spreadsheetId, write)))
      accepted = await this.log.accept(spreadsheetId, request);
    if (accepted.kind === 'workbook-full' || accepted.kind === 'redis-full') throw noRoomError(accepted);
    if (accepted.kind === 'key-reused') throw keyReused();
    if (accepted.kind === 'key-taken') throw keyTaken(`/${this.configuration.keyColumnName}`, accepted.key);
    if (accepted.kind === 'accepted' && accepted.becomesNearlyFull) await this.workbook.warnNearlyFull(spreadsheetId);
    return { number: accepted.number, id: accepted.id, isRepeated: accepted.kind === 'repeated' };
  }

  /** The upstream has said a moment ago that nobody of ours may write there: not accepted only to be held. */
  private async expectPermission(spreadsheetId: string): Promise<void> {
    const waiting = await this.log.waiting(this.log.keysOf(spreadsheetId));
    if (waiting?.code !== 'no-write-permission' || wallMs() - Date.parse(waiting.lastSaid) > PERMISSION_TRUSTED_MS) return;
    throw new CodedError({
      code: waiting.code,
      status: 403,
      field: 'spreadsheetId',
      message: `spreadsheetId: ${waiting.message}`,
      retryAfterMs: BACKOFF_SPREADSHEET_MS,
    });
  }

  /** Drains at once where the quota lets a direct call through. @returns why it was not settled, or undefined where it was. */
  private async tryDirect(spreadsheetId: string, number: number): Promise<WriteDegradedReason | undefined> {
    const admission = await this.quotaGuard.admit('direct', { access: 'write' });
    if (!admission.admitted) return 'quota';
    const waitMs = this.configuration.directWriteWaitMs;
    const outcome = await within(waitMs, this.drain.settleDirect(spreadsheetId, number, waitMs));
    if (outcome === undefined || outcome.kind === 'late') return 'upstream-slow';
    if (outcome.kind === 'settled') return undefined;
    if (outcome.kind === 'contended') return 'write-contention';
    return DEGRADED_BY_WAIT[outcome.reason];
  }

  private async answerOf(id: string): Promise<WriteAnswer> {
    const receipt = await this.receipt(id);
    if (receipt.state === 'failed') throw writeRejected(receipt);
    return receipt.state === 'applied' ? { receipt } : { receipt, degraded: 'quota' };
  }

  private async receipt(id: string): Promise<Receipt> {
    const receipt = await this.log.receipt(id);
    if (receipt === undefined) throw new Error(`the receipt of an accepted write is missing: ${id}`);
    return receipt;
  }
}

/** What `work` gives within `durationMs`, or undefined; the work itself goes on. */
async function within<T>(durationMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), durationMs)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // A failure after the deadline is the drain's to report, not an unhandled rejection.
    work.catch(() => undefined);
  }
}

function keyReused(): CodedError {
  return new CodedError({
    code: 'idempotency-key-reused',
    status: 422,
    field: 'Idempotency-Key',
    message: 'Idempotency-Key: found a key that was used with another body, expected a new key for a new request',
  });
}

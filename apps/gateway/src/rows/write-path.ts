/**
 * The one write path: every write is accepted into the log. The mode only decides what follows.
 *
 *   direct    the handler drains the spreadsheet at once and waits for its write    200 / 201, or the verdict against it
 *   degraded  the quota refuses, or the upstream takes too long: a job is added     202, the receipt tells the rest
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CodedError, wallMs } from '@app/platform';
import { QuotaGuard } from '@app/quota';
import type { Tab } from '@app/sheet-view';
import { BACKOFF_SPREADSHEET_MS, Drain, WriteQueue } from '@app/write-queue';
import { WriteLog, type Receipt, type WriteOperation } from '@app/write-log';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { keyTaken } from './row-input';
import { noRoomError } from './no-room';
import { WorkbookGuard } from './workbook-guard';
import { writeRejected } from './write-errors';

export type WriteDegradedReason = 'quota' | 'write-contention' | 'upstream-unavailable' | 'upstream-slow' | 'waiting';

/** A refusal for want of permission is believed for so long; while writes wait, it is asked for again more often. */
const PERMISSION_TRUSTED_MS = 2 * BACKOFF_SPREADSHEET_MS;

export interface WriteAnswer {
  readonly receipt: Receipt;
  /** Absent: the upstream has it. */
  readonly degraded?: WriteDegradedReason;
}

export interface Idempotency {
  /** As the client gave it. */
  readonly key: string;
  /** Credential, method and path: the same key elsewhere is another key. */
  readonly scope: string;
  readonly body: unknown;
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
    const { key, bodyDigest } = digests(idempotency);
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
    await this.expectPermission(spreadsheetId);
    const request = {
      sheetId: tab.sheetId,
      sheetTitle: tab.title,
      operation,
      ...(idempotency === undefined ? {} : { idempotency: digests(idempotency) }),
    };
    let accepted = await this.log.accept(spreadsheetId, request);
    if (accepted.kind === 'workbook-full' && (await this.workbook.lookAgain(spreadsheetId, tab)))
      accepted = await this.log.accept(spreadsheetId, request);
    if (accepted.kind === 'workbook-full' || accepted.kind === 'redis-full') throw noRoomError(accepted);
    if (accepted.kind === 'key-reused') throw keyReused();
    if (accepted.kind === 'key-taken') throw keyTaken(`/${this.configuration.keyColumnName}`, accepted.key);
    if (accepted.kind === 'repeated') return await this.answerOf(accepted.id);

    if (accepted.becomesNearlyFull) await this.workbook.warnNearlyFull(spreadsheetId);

    const degraded = await this.tryDirect(spreadsheetId, accepted.number);
    const receipt = await this.receipt(accepted.id);
    if (degraded === undefined) {
      if (receipt.state === 'failed') throw writeRejected(receipt);
      return { receipt };
    }
    await this.queue.add(receipt);
    // The upstream is there: it refuses this spreadsheet, and the receipt says why.
    return { receipt, degraded: degraded === 'upstream-unavailable' && receipt.waiting !== undefined ? 'waiting' : degraded };
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
    return outcome.reason === 'quota' ? 'quota' : outcome.reason === 'upstream' ? 'upstream-unavailable' : 'upstream-slow';
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

function digests(idempotency: Idempotency): { key: string; bodyDigest: string } {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
  return { key: hash(`${idempotency.scope}\n${idempotency.key}`), bodyDigest: hash(JSON.stringify(idempotency.body) ?? '') };
}

function keyReused(): CodedError {
  return new CodedError({
    code: 'idempotency-key-reused',
    status: 422,
    field: 'Idempotency-Key',
    message: 'Idempotency-Key: found a key that was used with another body, expected a new key for a new request',
  });
}

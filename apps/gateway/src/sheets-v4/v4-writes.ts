/**
 * Writes of the Sheets v4 surface. Values and cells go through the log like every write, and are answered at once with the body that
 * the service would give; changes of structure wait until the service has carried them out, since only it knows what becomes of them.
 */
import { Injectable } from '@nestjs/common';
import { CodedError, monotonicMs, pause } from '@app/platform';
import { markAnswer } from '@app/quota';
import { BookDirectory, BookReader, type BookAnswer } from '@app/sheet-view';
import { SheetsApi } from '@app/sheets-client';
import { ApiError, applyMask, invalid, spreadsheetAnswerOf, type Answer, type ParsedCall } from '@app/workbook';
import { isFinal, STRUCTURE_SHEET, WriteLog, type Receipt } from '@app/write-log';
import { Drain, WriteQueue } from '@app/write-queue';
import { WritePath, type WriteAnswer } from '../rows/write-path';
import { idempotencyOf } from '../writes/idempotency';
import { neededSheets } from './needed-sheets';
import { answerOf, forwarded } from './pass-through-v4';
import { changesStructure, planCall, userEntered } from './positioned-writes';
import type { V4Answer, V4Request } from './sheets-v4.service';

/** How long a change of structure is waited for: shorter than the clients' own time-outs, longer than a full window needs to make room. */
const STRUCTURE_WAIT_MS = 20_000;
const STRUCTURE_RETRY_MS = 250;

@Injectable()
export class V4Writes {
  constructor(
    private readonly books: BookReader,
    private readonly directory: BookDirectory,
    private readonly writes: WritePath,
    private readonly log: WriteLog,
    private readonly drain: Drain,
    private readonly queue: WriteQueue,
    private readonly api: SheetsApi,
  ) {}

  async write(request: V4Request, parsed: ParsedCall): Promise<V4Answer> {
    const { key } = request.route.method;
    if (key === 'POST spreadsheets') return answerOf(await forwarded(this.api, request, 'cold'));
    if (key.endsWith(':copyTo')) return await this.copySheet(request, parsed);
    if (changesStructure(request.route, parsed)) return await this.changeStructure(request, parsed);
    return await this.writeCells(request, parsed);
  }

  private async writeCells(request: V4Request, parsed: ParsedCall): Promise<V4Answer> {
    const idempotency = idempotencyOf(request.exchange.request, request.body);
    const repeated = await this.writes.repeated(parsed.spreadsheetId, idempotency);
    if (repeated !== undefined) return await this.answerAgain(request, parsed, repeated);
    const outcome = await this.books.readForWrite(parsed.spreadsheetId, neededSheets(request.route, parsed));
    if (outcome.kind !== 'book') return answerOf(outcome);
    const planned = planCall(request.route, parsed, outcome);
    const { answer: body } = planned;
    if (planned.writes.length === 0) return { status: 200, body };
    const answer = await this.writes.writeAll(parsed.spreadsheetId, planned.writes, idempotency);
    if (idempotency !== undefined)
      await this.log.keepReply(this.log.keysOf(parsed.spreadsheetId), answer.receipt.number, JSON.stringify(body));
    this.describe(request, answer, userEntered(planned.writes));
    return { status: 200, body };
  }

  private async answerAgain(request: V4Request, { spreadsheetId }: ParsedCall, answer: WriteAnswer): Promise<V4Answer> {
    const reply = await this.log.reply(this.log.keysOf(spreadsheetId), answer.receipt.number);
    if (reply === undefined)
      throw new ApiError(
        409,
        'ABORTED',
        `the first answer to this Idempotency-Key is not kept; the write is /writes/${answer.receipt.id}`,
      );
    this.describe(request, answer, false);
    return { status: 200, body: JSON.parse(reply) as Answer };
  }

  private describe(
    { exchange: { request, reply } }: V4Request,
    { receipt, degraded }: WriteAnswer,
    isUserEntered: boolean,
  ): void {
    void reply.header('X-Write-Id', receipt.id);
    if (degraded === undefined) return;
    markAnswer(request, { degraded: true, reason: degraded });
    void reply.header('Location', `/writes/${receipt.id}`);
    if (isUserEntered) void reply.header('X-Pending-User-Entered', 'true');
  }

  /** Follows the pending writes of its spreadsheet, in the lane for what cannot be answered from the view. */
  private async changeStructure(request: V4Request, parsed: ParsedCall): Promise<V4Answer> {
    const { spreadsheetId, body } = parsed;
    const idempotency = idempotencyOf(request.exchange.request, request.body);
    const requests = (body['requests'] as Record<string, unknown>[]).map((one) => withOwnIds(one));
    if (requests.some((one) => Object.keys(one).length === 0)) throw invalid('Invalid requests[0]: No request set.');
    const accepted = await this.writes.accept(
      spreadsheetId,
      { sheetId: STRUCTURE_SHEET, sheetTitle: '', operation: { kind: 'structure', requests } },
      idempotency,
    );
    const receipt = await this.waitFor(spreadsheetId, accepted.number, accepted.id);
    request.exchange.reply.header('X-Write-Id', receipt.id);
    if (receipt.state === 'failed')
      throw invalid(withoutCommitEntry(receipt.reason?.message ?? 'the service refused the request'));
    const text = await this.log.reply(this.log.keysOf(spreadsheetId), accepted.number);
    await this.directory.forget(this.log.keysOf(spreadsheetId));
    const replies = text === undefined ? requests.map(() => ({})) : (JSON.parse(text) as unknown[]);
    const answer: Record<string, unknown> = { spreadsheetId, replies };
    const after = await this.books.readForWrite(spreadsheetId, () => []);
    if (body['includeSpreadsheetInResponse'] === true) {
      if (after.kind !== 'book') return answerOf(after);
      answer['updatedSpreadsheet'] = await this.updatedSpreadsheet(parsed, after);
    }
    return { status: 200, body: parsed.mask === undefined ? answer : applyMask(parsed.mask, answer) };
  }

  private async updatedSpreadsheet({ spreadsheetId, body }: ParsedCall, { book }: BookAnswer): Promise<Answer> {
    if (body['responseIncludeGridData'] !== true) return spreadsheetAnswerOf(book, { includeGridData: false });
    const whole = await this.books.readForWrite(spreadsheetId, ({ sheets }) =>
      sheets.map(({ properties }) => properties.sheetId),
    );
    return spreadsheetAnswerOf(whole.kind === 'book' ? whole.book : book, {
      includeGridData: true,
      ranges: body['responseRanges'] as string[] | undefined,
    });
  }

  private async waitFor(spreadsheetId: string, number: number, id: string): Promise<Receipt> {
    const endMs = monotonicMs() + STRUCTURE_WAIT_MS;
    let retryAfterMs = 1_000;
    for (;;) {
      const outcome = await this.drain.drainThrough(spreadsheetId, number, 'cold', endMs - monotonicMs());
      const receipt = await this.log.receipt(id);
      if (receipt === undefined) throw new Error(`the receipt of an accepted write is missing: ${id}`);
      if (isFinal(receipt.state)) return receipt;
      if (outcome.kind === 'wait') retryAfterMs = outcome.retryInMs;
      if (
        monotonicMs() + Math.min(retryAfterMs, STRUCTURE_RETRY_MS) >= endMs ||
        (outcome.kind === 'wait' && outcome.reason === 'quota')
      ) {
        if (await this.log.cancel(receipt)) {
          const message = 'the quota or the upstream leaves no room for this call now; nothing was changed';
          throw new CodedError({ code: 'no-room', status: 503, message, retryAfterMs });
        }
        await this.queue.add(receipt);
        const message = `the call was sent, and it is not known yet whether it was carried out: /writes/${id} will tell`;
        throw new CodedError({ code: 'outcome-unknown', status: 503, message, retryAfterMs: 5_000 });
      }
      await pause(Math.min(retryAfterMs, STRUCTURE_RETRY_MS));
    }
  }

  /** The copy goes to another spreadsheet, so no commit entry can go with it: what comes of a call without an answer is not known. */
  private async copySheet(request: V4Request, { spreadsheetId }: ParsedCall): Promise<V4Answer> {
    const { tail } = await this.log.drainState(this.log.keysOf(spreadsheetId));
    const outcome = await this.drain.drainThrough(spreadsheetId, tail, 'cold', STRUCTURE_WAIT_MS);
    if (outcome.kind !== 'settled')
      throw new CodedError({
        code: 'no-room',
        status: 503,
        message: 'writes to the sheet are still pending; nothing was copied',
        retryAfterMs: 5_000,
      });
    const answer = await forwarded(this.api, request, 'cold');
    const destination = (request.body as { destinationSpreadsheetId?: unknown } | undefined)?.destinationSpreadsheetId;
    if (answer.kind === 'answered' && typeof destination === 'string') await this.directory.forget(this.log.keysOf(destination));
    return answerOf(answer);
  }
}

const RANDOM_ID_MAX = 2_000_000_000;

/** A new sheet gets its id here, so that a call sent twice would make it once. */
function withOwnIds(request: Record<string, unknown>): Record<string, unknown> {
  const own = 1 + Math.floor(Math.random() * RANDOM_ID_MAX);
  const { addSheet, duplicateSheet } = request as { addSheet?: { properties?: object }; duplicateSheet?: object };
  if (addSheet !== undefined) return { addSheet: { ...addSheet, properties: { sheetId: own, ...addSheet.properties } } };
  if (duplicateSheet !== undefined) return { duplicateSheet: { newSheetId: own, ...duplicateSheet } };
  return request;
}

/** The service counts the commit entry, which the client did not send. Source: errors of spreadsheets.batchUpdate. */
function withoutCommitEntry(message: string): string {
  return message.replace(/^Invalid requests\[(\d+)\]/, (_text, index: string) => `Invalid requests[${Number(index) - 1}]`);
}

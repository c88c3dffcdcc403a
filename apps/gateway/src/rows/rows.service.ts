/** The rows API: what a request asks for, and how the answer is told. Reading and writing themselves are in the libs. */
import { Inject, Injectable } from '@nestjs/common';
import { badInput, CodedError, monotonicMs, testedWithout } from '@app/platform';
import { markAnswer } from '@app/quota';
import { SheetReader, type ReadAnswer, type SheetView } from '@app/sheet-view';
import type { RowsOperation } from '@app/write-log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { idempotencyOf, type Idempotency } from '../writes/idempotency';
import { receiptBody } from '../writes/receipt-body';
import { PassThroughRows } from './pass-through-rows';
import { isKnownToClient, JSON_TYPE, pageBody, partOfKey, partOfPage, readHeaders } from './read-answer';
import { keyColumnOf, readAppend, readPatch } from './row-input';
import type { RowsQuery } from './rows-query.dto';
import { SPREADSHEET_ID, SPREADSHEET_ID_EXPECTED } from './spreadsheet-id';
import { WritePath, type WriteAnswer } from './write-path';

export interface Place {
  readonly spreadsheetId: string;
  readonly sheet: string;
}

/** A request and the reply to it. Handlers give the body as a string; who intercepts them may still set headers. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A key that a row does not have in a snapshot older than this may still be in the sheet: the drain decides. */
const SNAPSHOT_TRUSTED_MS = 5_000;

/** Refusals that another look at the header can change. */
const ABOUT_COLUMNS = new Set(['unknown-column', 'ambiguous-column', 'no-header', 'no-key-column']);

/** Columns seen so lately are not looked at again. */
const COLUMNS_TRUSTED_MS = 1_000;

/** How often a refusal about columns may cost a call, per sheet and process: a client that repeats its mistake uses up no quota. */
const LOOK_AGAIN_EVERY_MS = 5_000;
const LOOKS_REMEMBERED_MAX = 10_000;

/** Longer than any title that a tab can have. */
const TITLE_CHARACTERS_MAX = 255;

interface WriteRequest {
  readonly body?: unknown;
  /** Reads the request against the view: a CodedError where it cannot be carried out. */
  readonly parse: (view: SheetView) => RowsOperation;
  readonly doneStatus: 200 | 201;
  /** The row that has to be there. */
  readonly existingKey?: string;
}

@Injectable()
export class RowsService {
  private readonly lookedAtMs = new Map<string, number>();

  constructor(
    private readonly reader: SheetReader,
    private readonly writes: WritePath,
    private readonly passThrough: PassThroughRows,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async list(place: Place, query: RowsQuery, exchange: Exchange): Promise<string | Buffer> {
    const answer = await this.read(place, exchange);
    const page = { offset: query.offset ?? 0, limit: query.limit };
    return describeRead(answer, partOfPage(page), exchange) ? '' : pageBody(answer, page);
  }

  async get(place: Place, key: string, exchange: Exchange): Promise<string> {
    const answer = await this.read(place, exchange);
    keyColumnOf(answer.view, this.configuration.keyColumnName);
    const row = answer.view.rowJson(key);
    if (row === undefined) throw unknownRow(place.sheet, key);
    return describeRead(answer, partOfKey(key), exchange) ? '' : row;
  }

  async append(place: Place, body: unknown, exchange: Exchange): Promise<string> {
    const parse = (view: SheetView): RowsOperation => readAppend(body, view, this.configuration.keyColumnName);
    return await this.write(place, { body, parse, doneStatus: 201 }, exchange);
  }

  async patch(place: Place, key: string, body: unknown, exchange: Exchange): Promise<string> {
    const parse = (view: SheetView): RowsOperation => readPatch(body, key, view, this.configuration.keyColumnName);
    return await this.write(place, { body, parse, doneStatus: 200, existingKey: key }, exchange);
  }

  async delete(place: Place, key: string, exchange: Exchange): Promise<string> {
    const parse = (view: SheetView): RowsOperation => {
      keyColumnOf(view, this.configuration.keyColumnName);
      return { kind: 'delete', key };
    };
    return await this.write(place, { parse, doneStatus: 200, existingKey: key }, exchange);
  }

  private async read(place: Place, { request }: Exchange): Promise<ReadAnswer> {
    checkPlace(place);
    const { protection } = this.configuration;
    if (protection === 'off' || protection === 'count') return await this.passThrough.read(place);
    const answer = await this.reader.read(place.spreadsheetId, place.sheet);
    if (answer.degraded !== undefined) markAnswer(request, { degraded: true, reason: answer.degraded });
    return answer;
  }

  private async write(place: Place, write: WriteRequest, exchange: Exchange): Promise<string> {
    checkPlace(place);
    if (this.configuration.protection !== 'full' || testedWithout('write-ahead')) {
      const done = await this.passThrough.write(place, write.parse, write.existingKey);
      void exchange.reply.status(write.doneStatus).type(JSON_TYPE);
      return done;
    }
    const idempotency = idempotencyOf(exchange.request, write.body);
    const repeated = await this.writes.repeated(place.spreadsheetId, idempotency);
    const answer = repeated ?? (await this.accept(place, write, idempotency));
    return describeWrite(answer, write.doneStatus, exchange);
  }

  private async accept(
    place: Place,
    { parse, existingKey }: WriteRequest,
    idempotency: Idempotency | undefined,
  ): Promise<WriteAnswer> {
    let answer = await this.reader.viewForWrite(place.spreadsheetId, place.sheet);
    let operation: RowsOperation;
    try {
      try {
        operation = parse(answer.view);
      } catch (error) {
        const looked = await this.lookAgain(place, answer, error);
        if (looked === undefined) throw error;
        answer = looked;
        operation = parse(answer.view);
      }
      if (existingKey !== undefined && answer.view.row(existingKey) === undefined)
        await this.expectRow(place, existingKey, answer);
    } catch (error) {
      // The same request may have been accepted since the first look, by a process that was slow: the view then shows its own write.
      const repeated = await this.writes.repeated(place.spreadsheetId, idempotency);
      if (repeated === undefined) throw error;
      return repeated;
    }
    return await this.writes.write(place.spreadsheetId, answer.tab, operation, idempotency);
  }

  /**
   * The columns are not what the client says: a person may have changed them since the snapshot. One look, if the quota has one left;
   * who keeps asking for a column that is not there gets no look for a while.
   */
  private async lookAgain(place: Place, seen: ReadAnswer, error: unknown): Promise<ReadAnswer | undefined> {
    if (!(error instanceof CodedError) || !ABOUT_COLUMNS.has(error.facts.code) || seen.ageMs < COLUMNS_TRUSTED_MS)
      return undefined;
    const name = JSON.stringify([place.spreadsheetId, place.sheet]);
    if (monotonicMs() - (this.lookedAtMs.get(name) ?? -Infinity) < LOOK_AGAIN_EVERY_MS) return undefined;
    this.lookedAtMs.delete(name);
    this.lookedAtMs.set(name, monotonicMs());
    if (this.lookedAtMs.size > LOOKS_REMEMBERED_MAX) this.lookedAtMs.delete(this.lookedAtMs.keys().next().value as string);
    const looked = await this.reader.read(place.spreadsheetId, place.sheet);
    return looked.source === 'upstream' ? looked : undefined;
  }

  /** The view knows no such row. That is certain only if it is fresh: otherwise one look, and if the quota has none left, the drain decides. */
  private async expectRow(place: Place, key: string, seen: ReadAnswer): Promise<void> {
    if (seen.ageMs < SNAPSHOT_TRUSTED_MS) throw unknownRow(place.sheet, key);
    const looked = await this.reader.read(place.spreadsheetId, place.sheet);
    if (looked.source === 'upstream' && looked.view.row(key) === undefined) throw unknownRow(place.sheet, key);
  }
}

function describeWrite({ receipt, degraded }: WriteAnswer, doneStatus: number, { request, reply }: Exchange): string {
  if (degraded !== undefined) {
    markAnswer(request, { degraded: true, reason: degraded });
    void reply.header('Location', `/writes/${receipt.id}`);
  } else if (receipt.operation === 'append' && receipt.keys.length === 1) {
    void reply.header('Location', `${request.url.split('?')[0]}/${encodeURIComponent(receipt.keys[0])}`);
  }
  void reply.status(degraded === undefined ? doneStatus : 202).type(JSON_TYPE);
  return JSON.stringify(receiptBody(receipt));
}

/** Says where a read comes from. @returns true where the client has it already, and the answer is a 304. */
function describeRead(answer: ReadAnswer, part: string, { request, reply }: Exchange): boolean {
  void reply.headers(readHeaders(answer, part));
  if (!isKnownToClient(request.headers['if-none-match'], answer, part)) return false;
  void reply.status(304);
  return true;
}

function unknownRow(sheet: string, key: string): CodedError {
  const message = `key: the sheet ${JSON.stringify(sheet)} has no row ${JSON.stringify(key)}`;
  return new CodedError({ code: 'unknown-row', status: 404, field: 'key', message });
}

function checkPlace({ spreadsheetId, sheet }: Place): void {
  if (!SPREADSHEET_ID.test(spreadsheetId)) {
    throw badInput('invalid-spreadsheet-id', 'spreadsheetId', SPREADSHEET_ID_EXPECTED);
  }
  if (sheet.length > TITLE_CHARACTERS_MAX) {
    throw badInput('invalid-sheet', 'sheet', `sheet: found ${sheet.length} characters, expected at most ${TITLE_CHARACTERS_MAX}`);
  }
}

/** The rows API: what a request asks for, and how the answer is told. Reading and writing themselves are in the libs. */
import { Inject, Injectable } from '@nestjs/common';
import { badInput, CodedError } from '@app/platform';
import { markAnswer } from '@app/quota';
import { SheetReader, type ReadAnswer, type SheetView } from '@app/sheet-view';
import type { WriteOperation } from '@app/write-log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { credentialOf } from '../http/access';
import { receiptBody } from '../writes/receipt-body';
import { PassThroughRows } from './pass-through-rows';
import { keyColumnOf, readAppend, readPatch } from './row-input';
import type { RowsQuery } from './rows-query.dto';
import { WritePath, type Idempotency, type WriteAnswer } from './write-path';

export interface Place {
  readonly spreadsheetId: string;
  readonly sheet: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** A key that a row does not have in a snapshot older than this may still be in the sheet: the drain decides. */
const SNAPSHOT_TRUSTED_MS = 5_000;

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Spreadsheet ids hold nothing else. Source: "Spreadsheet ID" in the Sheets API's concepts; longer than any that Google makes. */
const SPREADSHEET_ID = /^[A-Za-z0-9_-]{1,128}$/;

@Injectable()
export class RowsService {
  constructor(
    private readonly reader: SheetReader,
    private readonly writes: WritePath,
    private readonly passThrough: PassThroughRows,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async list(place: Place, query: RowsQuery, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkPlace(place);
    const answer = await this.read(place, request);
    const offset = query.offset ?? 0;
    const page = `${offset}.${query.limit ?? 'all'}`;
    if (describeRead(answer, page, request, reply)) return;
    const rows = answer.view.rowsJson(offset, query.limit ?? Number.MAX_SAFE_INTEGER);
    await reply.type(JSON_TYPE).send(`{"rows":${rows},"total":${answer.view.rowCount},"offset":${offset}}`);
  }

  async get(place: Place, key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkPlace(place);
    const answer = await this.read(place, request);
    keyColumnOf(answer.view, this.configuration.keyColumnName);
    const row = answer.view.rowJson(key);
    if (row === undefined) throw unknownRow(place.sheet, key);
    if (describeRead(answer, `key.${encodeURIComponent(key)}`, request, reply)) return;
    await reply.type(JSON_TYPE).send(row);
  }

  async append(
    place: Place,
    body: unknown,
    idempotencyKey: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const parse = (view: SheetView): WriteOperation => readAppend(body, view, this.configuration.keyColumnName);
    await this.write(place, body, idempotencyKey, request, reply, parse, 201);
  }

  async patch(
    place: Place,
    key: string,
    body: unknown,
    idempotencyKey: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const parse = (view: SheetView): WriteOperation => readPatch(body, key, view, this.configuration.keyColumnName);
    await this.write(place, body, idempotencyKey, request, reply, parse, 200, key);
  }

  async delete(
    place: Place,
    key: string,
    idempotencyKey: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const parse = (view: SheetView): WriteOperation => {
      keyColumnOf(view, this.configuration.keyColumnName);
      return { kind: 'delete', key };
    };
    await this.write(place, undefined, idempotencyKey, request, reply, parse, 200, key);
  }

  private async read(place: Place, request: FastifyRequest): Promise<ReadAnswer> {
    const { protection } = this.configuration;
    if (protection === 'off' || protection === 'count') return await this.passThrough.read(place);
    const answer = await this.reader.read(place.spreadsheetId, place.sheet);
    if (answer.degraded !== undefined) markAnswer(request, { degraded: true, reason: answer.degraded });
    return answer;
  }

  private async write(
    place: Place,
    body: unknown,
    idempotencyKey: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    parse: (view: SheetView) => WriteOperation,
    doneStatus: number,
    existingKey?: string,
  ): Promise<void> {
    checkPlace(place);
    if (this.configuration.protection !== 'full') {
      const done = await this.passThrough.write(place, parse, existingKey);
      await reply.status(doneStatus).type(JSON_TYPE).send(done);
      return;
    }
    const idempotency = readIdempotency(idempotencyKey, request, body);
    const answer =
      (await this.writes.repeated(place.spreadsheetId, idempotency)) ??
      (await this.accept(place, parse, existingKey, idempotency));
    await this.describeWrite(answer, doneStatus, request, reply);
  }

  private async accept(
    place: Place,
    parse: (view: SheetView) => WriteOperation,
    existingKey: string | undefined,
    idempotency: Idempotency | undefined,
  ): Promise<WriteAnswer> {
    const answer = await this.reader.viewForWrite(place.spreadsheetId, place.sheet);
    const operation = parse(answer.view);
    if (existingKey !== undefined && answer.view.row(existingKey) === undefined) await this.expectRow(place, existingKey, answer);
    return await this.writes.write(place.spreadsheetId, answer.tab, operation, idempotency);
  }

  /** The view knows no such row. That is certain only if it is fresh: otherwise one look, and if the quota has none left, the drain decides. */
  private async expectRow(place: Place, key: string, seen: ReadAnswer): Promise<void> {
    if (seen.ageMs < SNAPSHOT_TRUSTED_MS) throw unknownRow(place.sheet, key);
    const looked = await this.reader.read(place.spreadsheetId, place.sheet);
    if (looked.source === 'upstream' && looked.view.row(key) === undefined) throw unknownRow(place.sheet, key);
  }

  private async describeWrite(
    { receipt, degraded }: WriteAnswer,
    doneStatus: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (degraded !== undefined) markAnswer(request, { degraded: true, reason: degraded });
    const onlyKey = receipt.keys.length === 1 && receipt.operation === 'append' ? receipt.keys[0] : undefined;
    const base = request.url.split('?')[0];
    const location =
      degraded !== undefined
        ? `/writes/${receipt.id}`
        : onlyKey === undefined
          ? undefined
          : `${base}/${encodeURIComponent(onlyKey)}`;
    if (location !== undefined) void reply.header('Location', location);
    await reply
      .status(degraded === undefined ? doneStatus : 202)
      .type(JSON_TYPE)
      .send(JSON.stringify(receiptBody(receipt)));
  }
}

/** Says where a read comes from. @returns true where the client has it already: 304 was sent. */
function describeRead(answer: ReadAnswer, page: string, request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = `"${answer.version}.${page}"`;
  void reply
    .header('X-Data-Source', answer.source)
    .header('Age', String(Math.floor(answer.ageMs / 1_000)))
    .header('X-Pending-Writes', String(answer.pendingWrites))
    .header('ETag', etag)
    .header('Cache-Control', 'no-cache');
  const known = request.headers['if-none-match'];
  if (known === undefined || answer.version === '') return false;
  const has = known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
  if (has) void reply.status(304).send();
  return has;
}

function readIdempotency(key: string | undefined, request: FastifyRequest, body: unknown): Idempotency | undefined {
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw badInput(
      'invalid-idempotency-key',
      'Idempotency-Key',
      `Idempotency-Key: found ${key.length} characters, expected 1 to 255 printable ones without spaces`,
    );
  }
  return { key, scope: `${credentialOf(request)} ${request.method} ${request.url.split('?')[0]}`, body };
}

function unknownRow(sheet: string, key: string): CodedError {
  return new CodedError({
    code: 'unknown-row',
    status: 404,
    field: 'key',
    message: `key: the sheet ${JSON.stringify(sheet)} has no row ${JSON.stringify(key)}`,
  });
}

function checkPlace({ spreadsheetId, sheet }: Place): void {
  if (!SPREADSHEET_ID.test(spreadsheetId)) {
    throw badInput('invalid-spreadsheet-id', 'spreadsheetId', 'spreadsheetId: expected 1 to 128 letters, digits, - and _');
  }
  if (sheet.length > 255)
    throw badInput('invalid-sheet', 'sheet', `sheet: found ${sheet.length} characters, expected at most 255`);
}

/**
 * Reads of the Sheets v4 surface. Values, properties, filters and metadata are answered from the view, in either mode, by the methods of
 * libs/workbook. Grid data holds formats and sizes that no copy keeps: while the quota grants a call and nothing is pending, the
 * upstream's own answer is given; else the view's cells, without formats.
 */
import { Injectable } from '@nestjs/common';
import { markAnswer } from '@app/quota';
import { BookReader, withoutCommitEntries, type BookAnswer } from '@app/sheet-view';
import { SheetsApi, type FetchedMetadata } from '@app/sheets-client';
import { applyMask, executeParsed, notFound, type Answer, type ParsedCall, type WorkbookState } from '@app/workbook';
import { containedThrough, readCommitEntries, WriteLog } from '@app/write-log';
import { neededSheets, wantsGridData } from './needed-sheets';
import { answerOf, forwarded } from './pass-through-v4';
import type { V4Answer, V4Request } from './sheets-v4.service';

const METADATA_FIELDS = 'developerMetadata(metadataId,metadataKey,metadataValue,location,visibility)';

@Injectable()
export class V4Reads {
  constructor(
    private readonly books: BookReader,
    private readonly log: WriteLog,
    private readonly api: SheetsApi,
  ) {}

  async read(request: V4Request, parsed: ParsedCall): Promise<V4Answer> {
    if (wantsGridData(request.route, parsed)) {
      const answer = await this.upstreamsOwn(request, parsed);
      if (answer !== undefined) return answer;
    }
    const outcome = await this.books.read(parsed.spreadsheetId, neededSheets(request.route, parsed));
    if (outcome.kind !== 'book') return answerOf(outcome);
    describe(outcome, request);
    return { status: 200, body: executeParsed(request.route, parsed, readOnly(outcome.book)) };
  }

  /** Undefined where it cannot be had, or would lack a write of ours. */
  private async upstreamsOwn(request: V4Request, parsed: ParsedCall): Promise<V4Answer | undefined> {
    const keys = this.log.keysOf(parsed.spreadsheetId);
    const before = await this.log.drainState(keys).catch(() => undefined);
    if (before === undefined || before.tail > before.appliedThrough) return undefined;
    const fields = request.query.get('fields');
    const answer = await forwarded(this.api, request, 'direct', fields === null ? undefined : `${fields},${METADATA_FIELDS}`);
    if (answer.kind === 'rejected' && answer.status !== 429) return answerOf(answer);
    if (answer.kind !== 'answered') return undefined;
    const after = await this.log.drainState(keys);
    const entries = readCommitEntries((answer.body['developerMetadata'] ?? []) as FetchedMetadata[]);
    // Writes that came meanwhile, or that the upstream's reads do not show yet, are in the view.
    if (after.tail !== before.tail || containedThrough(entries, after.epoch) < after.appliedThrough) return undefined;
    const { reply } = request.exchange;
    void reply.header('X-Data-Source', 'upstream').header('Age', '0').header('X-Pending-Writes', '0');
    const body: Answer = withoutCommitEntries(answer.body);
    return { status: 200, body: parsed.mask === undefined ? body : applyMask(parsed.mask, body) };
  }
}

function describe({ source, degraded, ageMs, pendingWrites }: BookAnswer, { exchange: { request, reply } }: V4Request): void {
  if (degraded !== undefined) markAnswer(request, { degraded: true, reason: degraded });
  void reply
    .header('X-Data-Source', source)
    .header('Age', String(Math.floor(ageMs / 1_000)))
    .header('X-Pending-Writes', String(pendingWrites));
}

function readOnly(book: WorkbookState): Parameters<typeof executeParsed>[2] {
  const refuse = (): never => {
    throw new Error('a read does not write');
  };
  const get = (spreadsheetId: string): WorkbookState => {
    if (spreadsheetId !== book.spreadsheetId) throw notFound();
    return book;
  };
  return { get, read: get, edit: refuse, create: refuse };
}

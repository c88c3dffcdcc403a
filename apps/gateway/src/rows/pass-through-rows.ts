/**
 * The stages of the case before the remedy: requests go straight to the upstream and its errors go straight to the client, as in
 * an application that calls the service itself. Nothing is kept, merged or retried; 429 stays 429.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CodedError } from '@app/platform';
import { SheetView, snapshotOf, type ReadAnswer } from '@app/sheet-view';
import type { SheetsApi, UpstreamAnswer } from '@app/sheets-client';
import { planBatch, BATCH_LIMITS } from '@app/write-queue';
import type { RowsOperation } from '@app/write-log';
import { CONFIGURATION, PASS_THROUGH_API } from '../core/tokens';
import type { Configuration } from '../configuration';
import type { Place } from './rows.service';

@Injectable()
export class PassThroughRows {
  /** Header rows as first seen: an application of this kind reads its columns once. */
  private readonly headers = new Map<string, SheetView>();

  constructor(
    @Inject(PASS_THROUGH_API) private readonly api: SheetsApi,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** One upstream call. */
  async read(place: Place): Promise<ReadAnswer> {
    const view = await this.fetch(place);
    const { sheetId, title, index } = view.content;
    return { view, version: '', ageMs: 0, pendingWrites: 0, tab: { sheetId, title, index }, source: 'upstream' };
  }

  /** An append is one upstream call once the columns are known; a change or a deletion looks for its row first. */
  async write(place: Place, parse: (view: SheetView) => RowsOperation, existingKey: string | undefined): Promise<string> {
    const name = JSON.stringify(place);
    const known = existingKey === undefined ? this.headers.get(name) : undefined;
    const view = known ?? (await this.fetch(place));
    this.headers.set(
      name,
      new SheetView({ ...view.content, cells: view.content.cells.slice(0, 1) }, this.configuration.keyColumnName),
    );
    const operation = parse(view);
    const { batch, setAside } = planBatch({
      writes: [{ number: 1, sheetId: view.content.sheetId, sheetTitle: place.sheet, operation }],
      first: 1,
      last: 1,
      grids: new Map([[view.content.sheetId, view.content]]),
      keyColumnName: this.configuration.keyColumnName,
      batchNumber: 1,
      batchId: '0',
      epoch: '0',
      limits: BATCH_LIMITS,
    });
    if (batch === undefined)
      throw new CodedError({
        code: setAside[0].code,
        status: setAside[0].code === 'row-gone' ? 404 : 409,
        message: setAside[0].message,
      });
    // The first request is the commit entry, which only the write queue needs.
    expectAnswer(await this.api.batchUpdate(place.spreadsheetId, { requests: batch.body.requests.slice(1) }, 'direct'));
    const keys = operation.kind === 'append' ? operation.rows.map((row) => row.key) : [operation.key];
    return JSON.stringify({ state: 'applied', sheet: place.sheet, operation: operation.kind, keys });
  }

  private async fetch({ spreadsheetId, sheet }: Place): Promise<SheetView> {
    const answer = await this.api.fetchSheets(spreadsheetId, [sheet], 'direct');
    // The one range asked for is the tab itself: the service cannot parse it where there is no such tab.
    const unknown = answer.kind === 'rejected' && answer.status === 400;
    const tab = unknown ? undefined : expectAnswer(answer).sheets?.[0];
    if (tab === undefined)
      throw new CodedError({
        code: 'unknown-sheet',
        status: 404,
        field: 'sheet',
        message: `sheet: the spreadsheet has no tab ${JSON.stringify(sheet)}`,
      });
    return new SheetView(snapshotOf(tab), this.configuration.keyColumnName);
  }
}

/** The upstream's error as the client of a bare application would meet it; unreachable or too late is 502. */
function expectAnswer<T>(answer: UpstreamAnswer<T>): T {
  switch (answer.kind) {
    case 'answered':
      return answer.body;
    case 'rejected':
      throw new CodedError({
        code: answer.status === 429 ? 'upstream-quota-exhausted' : 'upstream-rejected',
        status: answer.status,
        message: answer.message,
      });
    case 'refused':
      throw new CodedError({
        code: 'quota-exhausted',
        status: 503,
        message: 'the quota is used up',
        retryAfterMs: answer.refusal.retryInMs,
      });
    default:
      throw new CodedError({ code: 'upstream-unavailable', status: 502, message: answer.message });
  }
}

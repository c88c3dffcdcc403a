/**
 * Fetches sheets from the upstream and makes them snapshots. A fetch is never an answer by itself: it is stored if it contains at
 * least the batches that the stored snapshot contains, and the answer is the view.
 *
 * Whoever comes while the same fetch is under way shares it. A spreadsheet that nobody has looked at is fetched as a whole, so
 * that one call tells which tabs there are and what is in them; from then on, tab by tab.
 */
import { Logger } from '@nestjs/common';
import { monotonicMs } from '@app/platform';
import type { CallLane, FetchedSpreadsheet, SheetsApi, UpstreamAnswer } from '@app/sheets-client';
import { containedThrough, readCommitEntries, type CommitEntry, type SpreadsheetKeys, type WriteLog } from '@app/write-log';
import type { AnsweredSpreadsheet } from '@app/workbook';
import { snapshotOf, type SnapshotContent } from './snapshot';
import type { BookDirectory } from './book/book-documents';
import type { ListedTab, TabDirectory } from './tab-directory';
import type { ViewStore } from './view-store';

export interface Fetched {
  readonly contents: readonly SnapshotContent[];
  readonly entries: readonly CommitEntry[];
  /** The last log number that they contain. */
  readonly through: number;
  /** They contain less than a snapshot that was there before: the upstream's reads lag behind its writes. */
  readonly lagging: boolean;
  /** They show fewer batches than are known to be applied: positions in them are not to be trusted. */
  readonly behind: boolean;
}

/** The cells of tabs; with what the spreadsheet is beside its cells; or only that. */
export type FetchedWhat = 'cells' | 'book' | 'properties';

export type FetchOutcome =
  { readonly kind: 'fetched'; readonly fetched: Fetched } | Exclude<UpstreamAnswer<never>, { kind: 'answered' }>;

export class SheetFetcher {
  private readonly flights = new Map<string, Promise<FetchOutcome>>();
  private readonly behindSinceMs = new Map<string, number>();
  private readonly logger = new Logger('upstream');

  constructor(
    private readonly api: SheetsApi,
    private readonly log: WriteLog,
    private readonly store: ViewStore,
    private readonly tabs: TabDirectory,
    private readonly books: BookDirectory,
    /** How long the upstream's reads may lag behind its writes before it counts as rolled back. */
    private readonly upstreamLagMaxMs: number,
  ) {}

  /** Fetches the tabs of those titles, or every tab where none is named; shared by all who ask meanwhile. */
  async fetch(
    spreadsheetId: string,
    titles: readonly string[] | undefined,
    lane: CallLane,
    what: FetchedWhat = 'cells',
  ): Promise<FetchOutcome> {
    const name = JSON.stringify([spreadsheetId, titles ?? null, lane, what]);
    const under = this.flights.get(name);
    if (under !== undefined) return await under;
    const flight = this.fetchNow(spreadsheetId, titles, lane, what).finally(() => this.flights.delete(name));
    this.flights.set(name, flight);
    return await flight;
  }

  private async fetchNow(
    spreadsheetId: string,
    titles: readonly string[] | undefined,
    lane: CallLane,
    what: FetchedWhat,
  ): Promise<FetchOutcome> {
    const keys = this.log.keysOf(spreadsheetId);
    const sentMs = monotonicMs();
    const answer = await this.ask(spreadsheetId, titles, lane, what);
    if (answer.kind !== 'answered') return answer;
    if (what !== 'cells') {
      const isWhole = titles === undefined;
      await this.books.store(keys, answer.body as AnsweredSpreadsheet, { isWhole, sinceSentMs: monotonicMs() - sentMs });
    }

    const entries = readCommitEntries(answer.body.developerMetadata ?? []);
    const { through, epoch, behind } = await this.learnFrom(keys, spreadsheetId, entries);
    const contents = what === 'properties' ? [] : gridTabs(answer.body).map(snapshotOf);
    if (what === 'properties') await this.tabs.replace(keys, listedTabs(answer.body));
    else if (titles === undefined) await this.tabs.replace(keys, contents);
    let lagging = false;
    for (const content of contents) {
      const { storedThrough } = await this.store.store(keys, content, { through, epoch }, monotonicMs() - sentMs);
      lagging ||= through < storedThrough;
    }
    return { kind: 'fetched', fetched: { contents, entries, through, lagging, behind } };
  }

  private async ask(
    spreadsheetId: string,
    titles: readonly string[] | undefined,
    lane: CallLane,
    what: FetchedWhat,
  ): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    if (what === 'properties') return await this.api.fetchProperties(spreadsheetId, lane);
    if (what === 'book') return await this.api.fetchBook(spreadsheetId, titles, lane);
    return await this.api.fetchSheets(spreadsheetId, titles, lane);
  }

  /** Draws the conclusions from commit entries: a batch in doubt is applied if its entry is there. */
  private async learnFrom(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    entries: readonly CommitEntry[],
  ): Promise<{ through: number; epoch: string; behind: boolean }> {
    const state = await this.log.drainState(keys);
    const { frozen, epoch } = state;
    const highest = entries.at(-1)?.batchNumber ?? 0;
    const ours =
      frozen === undefined
        ? undefined
        : entries.find((entry) => entry.batchNumber === frozen.number && entry.batchId === frozen.id);
    if (frozen !== undefined && ours !== undefined) await this.log.settle(keys, frozen);
    else if (frozen === undefined && highest > state.batchNumber) await this.log.raiseBatchNumber(keys, highest);
    const behind = highest < state.batchNumber;
    if (!behind) this.behindSinceMs.delete(keys.base);
    else if (this.behindTooLong(keys)) {
      const begun = await this.log.beginEpoch(keys, highest);
      if (begun !== undefined) {
        this.behindSinceMs.delete(keys.base);
        this.logger.warn(
          `spreadsheet ${spreadsheetId} shows batch ${highest} and not ${state.batchNumber} any more: it was restored to an older version; ` +
            'what it contains now is taken as it is, and nothing is sent again',
        );
        return { through: 0, epoch: begun, behind: false };
      }
    }
    return { through: containedThrough(entries, epoch), epoch, behind };
  }

  private behindTooLong(keys: SpreadsheetKeys): boolean {
    const since = this.behindSinceMs.get(keys.base) ?? monotonicMs();
    this.behindSinceMs.set(keys.base, since);
    return monotonicMs() - since > this.upstreamLagMaxMs;
  }

  /** Asks which tabs there are. Costs one call. */
  async listTabs(spreadsheetId: string, lane: CallLane): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    const answer = await this.api.fetchTabs(spreadsheetId, lane);
    if (answer.kind === 'answered') await this.tabs.replace(this.log.keysOf(spreadsheetId), listedTabs(answer.body));
    return answer;
  }
}

function listedTabs(spreadsheet: FetchedSpreadsheet): ListedTab[] {
  return gridTabs(spreadsheet).map(({ properties }) => ({
    sheetId: properties.sheetId ?? 0,
    title: properties.title,
    index: properties.index ?? 0,
    rowCount: properties.gridProperties?.rowCount ?? 0,
    columnCount: properties.gridProperties?.columnCount ?? 0,
  }));
}

/** Charts have tabs of their own, without cells. */
function gridTabs(spreadsheet: FetchedSpreadsheet): NonNullable<FetchedSpreadsheet['sheets']> {
  return (spreadsheet.sheets ?? []).filter(({ properties }) => (properties.sheetType ?? 'GRID') === 'GRID');
}

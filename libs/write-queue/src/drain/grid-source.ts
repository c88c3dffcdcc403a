/**
 * The grids that a batch is resolved against: one read for all sheets of the batch. The read is saved where only rows are appended
 * to sheets whose snapshot is young.
 */
import type { CallLane } from '@app/sheets-client';
import type { FetchOutcome, SheetFetcher, SnapshotContent, TabDirectory, ViewStore } from '@app/sheet-view';
import type { CommitEntry, LoggedWrite, SpreadsheetKeys } from '@app/write-log';
import type { PlannedGrid } from '../batch/sheet-plan';
import type { DrainOptions } from './drain-options';

export type Grids =
  | { readonly kind: 'grids'; readonly grids: ReadonlyMap<number, PlannedGrid>; readonly entries?: readonly CommitEntry[] }
  /** The upstream's reads do not show yet what it has applied: positions in them are not to be trusted. */
  | { readonly kind: 'lagging' }
  | { readonly kind: 'failed'; readonly outcome: Exclude<FetchOutcome, { kind: 'fetched' }> };

export class GridSource {
  constructor(
    private readonly store: ViewStore,
    private readonly tabs: TabDirectory,
    private readonly fetcher: SheetFetcher,
    private readonly options: DrainOptions,
  ) {}

  /** @param looking the last look has misled: read in any case */
  async gridsFor(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    writes: readonly LoggedWrite[],
    lane: CallLane,
    { looking }: { readonly looking: boolean },
  ): Promise<Grids> {
    const sheetIds = [...new Set(writes.map((write) => write.sheetId))];
    if (!looking && writes.every(({ operation }) => operation.kind === 'append')) {
      const young = await this.youngGrids(keys, sheetIds);
      if (young !== undefined) return { kind: 'grids', grids: young };
    }
    const { tabs } = await this.tabs.known(keys);
    const titles = tabs.filter((tab) => sheetIds.includes(tab.sheetId)).map((tab) => tab.title);
    let outcome = await this.fetcher.fetch(spreadsheetId, titles, lane);
    if (outcome.kind === 'rejected' && outcome.status === 400)
      outcome = await this.fetchAfterRename(spreadsheetId, keys, sheetIds, lane);
    if (outcome.kind !== 'fetched') return { kind: 'failed', outcome };
    if (outcome.fetched.behind) return { kind: 'lagging' };
    return { kind: 'grids', grids: byId(outcome.fetched.contents), entries: outcome.fetched.entries };
  }

  private async youngGrids(
    keys: SpreadsheetKeys,
    sheetIds: readonly number[],
  ): Promise<ReadonlyMap<number, PlannedGrid> | undefined> {
    const grids = new Map<number, PlannedGrid>();
    for (const sheetId of sheetIds) {
      const current = await this.store.current(keys, sheetId);
      if (current === undefined || current.ageMs > this.options.snapshotYoungMs || !current.view.endsWithKeyedRow)
        return undefined;
      // Only the header matters: where the rows go is for the service to say, and keys were checked when the writes were accepted.
      const { content, rowCount } = current.view;
      // Below the snapshot's rows, and above the end of the view, which has every pending row too.
      const first = content.cells.length;
      const filled = content.cells.slice(1).filter((row) => row.length > 0).length;
      const appendedRows = { first, last: first + Math.max(0, rowCount - filled) };
      grids.set(sheetId, { ...content, cells: content.cells.slice(0, 1), appendedRows });
    }
    return grids;
  }

  /** A title that we remembered is not there: ask for all, and fetch those that still exist. */
  private async fetchAfterRename(
    spreadsheetId: string,
    keys: SpreadsheetKeys,
    sheetIds: readonly number[],
    lane: CallLane,
  ): Promise<FetchOutcome> {
    const listed = await this.fetcher.listTabs(spreadsheetId, lane);
    if (listed.kind !== 'answered') return listed;
    const { tabs } = await this.tabs.known(keys);
    const titles = tabs.filter((tab) => sheetIds.includes(tab.sheetId)).map((tab) => tab.title);
    // All of them are gone: any tab will do to learn the commit entries.
    return await this.fetcher.fetch(spreadsheetId, titles.length > 0 ? titles : [tabs[0].title], lane);
  }
}

function byId(contents: readonly SnapshotContent[]): ReadonlyMap<number, SnapshotContent> {
  return new Map(contents.map((content) => [content.sheetId, content]));
}

/**
 * The one read path: every read answers from the view, and the mode only decides whether the snapshot is refreshed first.
 *
 *   direct    the quota grants a call: fetch, then the view                    source: upstream
 *   degraded  the quota refuses, or the upstream fails: the view as it stands  source: snapshot
 *   first     no snapshot yet and no direct call granted: one call of the `cold` lane, shared by all who wait
 *   memory    Redis is away: what this process last knew, marked so
 */
import { CodedError, isRedisUnavailable, monotonicMs } from '@app/platform';
import type { CallLane } from '@app/sheets-client';
import type { SpreadsheetKeys, WriteLog } from '@app/write-log';
import { refusalError, rejectionError, unknownSheetError } from './read-errors';
import type { FetchOutcome, SheetFetcher } from './fetcher';
import type { Tab, TabDirectory } from './tab-directory';
import type { CurrentView, ViewStore } from './view-store';

export type DegradedReason = 'quota' | 'upstream-unavailable' | 'upstream-lagging' | 'redis-unavailable';

export interface ReadAnswer extends CurrentView {
  readonly tab: Tab;
  readonly source: 'upstream' | 'snapshot';
  /** Absent: the answer is as good as the upstream's own. */
  readonly degraded?: DegradedReason;
}

/** A snapshot older than this is renewed in the background, as far as the `refresh` lane's share of the quota goes. */
const REFRESH_FROM_MS = 10_000;

/** Thousands of readers a second need not ask for the renewal more often than it can be granted. */
const REFRESH_ASKED_EVERY_MS = 250;

/** Sheets come from outside, so the number of remembered ones is bounded. */
const SHEETS_REMEMBERED_MAX = 10_000;

export class SheetReader {
  private readonly refreshAskedAtMs = new Map<string, number>();

  constructor(
    private readonly log: WriteLog,
    private readonly store: ViewStore,
    private readonly tabs: TabDirectory,
    private readonly fetcher: SheetFetcher,
  ) {}

  /** What a client's read answers with. Throws a CodedError where there is nothing to answer from. */
  async read(spreadsheetId: string, title: string): Promise<ReadAnswer> {
    const keys = this.log.keysOf(spreadsheetId);
    try {
      return await this.readThrough(keys, spreadsheetId, title);
    } catch (error) {
      const away = isRedisUnavailable(error) || (error instanceof CodedError && error.facts.code === 'redis-unavailable');
      if (!away) throw error;
      return await this.fromMemory(keys, title, error);
    }
  }

  /** The view for somebody who is about to write: fetched only where there is none. */
  async viewForWrite(spreadsheetId: string, title: string): Promise<ReadAnswer> {
    const keys = this.log.keysOf(spreadsheetId);
    const tab = await this.tabs.find(keys, title);
    const current = tab === undefined ? undefined : await this.store.current(keys, tab.sheetId);
    if (tab !== undefined && current !== undefined) return { ...current, tab, source: 'snapshot' };
    return await this.firstLook(keys, spreadsheetId, title, ['direct', 'cold']);
  }

  /**
   * A read whose direct call is known to be refused, at the cost of the shared question what has changed. Undefined where this
   * process does not know the tab, or the sheet has no snapshot: `read` finds out.
   */
  readRefused(spreadsheetId: string, title: string): Promise<ReadAnswer | undefined> | undefined {
    const keys = this.log.keysOf(spreadsheetId);
    const tab = this.tabs.remembers(keys, title);
    return tab === undefined ? undefined : this.refused(keys, spreadsheetId, tab);
  }

  private async refused(keys: SpreadsheetKeys, spreadsheetId: string, tab: Tab): Promise<ReadAnswer | undefined> {
    let current: CurrentView | undefined;
    try {
      current = await this.store.current(keys, tab.sheetId);
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      return await this.fromMemory(keys, tab.title, error);
    }
    return current === undefined ? undefined : this.asItStands(spreadsheetId, tab, current, 'quota');
  }

  private asItStands(spreadsheetId: string, tab: Tab, current: CurrentView, degraded: DegradedReason): ReadAnswer {
    this.refreshInBackground(spreadsheetId, tab.title, current);
    const { view, version, ageMs, pendingWrites } = current;
    return { view, version, ageMs, pendingWrites, tab, source: 'snapshot', degraded };
  }

  private async readThrough(keys: SpreadsheetKeys, spreadsheetId: string, title: string): Promise<ReadAnswer> {
    const tab = await this.tabs.find(keys, title);
    if (tab === undefined) return await this.firstLook(keys, spreadsheetId, title, ['direct', 'cold']);

    const outcome = await this.fetcher.fetch(spreadsheetId, [title], 'direct');
    if (outcome.kind === 'rejected' && outcome.status === 400) return await this.afterRename(keys, spreadsheetId, title);
    if (outcome.kind === 'rejected' && outcome.status !== 429) throw rejectionError(outcome, spreadsheetId);
    const current = await this.store.current(keys, tab.sheetId);
    if (outcome.kind === 'fetched' && current !== undefined) {
      // The fetch may have been refused as a snapshot because the upstream's reads lag behind its writes.
      const { lagging } = outcome.fetched;
      return {
        ...current,
        tab,
        source: lagging ? 'snapshot' : 'upstream',
        ...(lagging ? { degraded: 'upstream-lagging' as const } : {}),
      };
    }
    if (current !== undefined)
      return this.asItStands(spreadsheetId, tab, current, outcome.kind === 'refused' ? 'quota' : 'upstream-unavailable');
    return await this.firstLook(keys, spreadsheetId, title, ['cold']);
  }

  /** While readers ask and the snapshot ages, a call of the `refresh` lane renews it; refused, it costs nothing. */
  private refreshInBackground(spreadsheetId: string, title: string, current: CurrentView): void {
    if (current.ageMs < REFRESH_FROM_MS) return;
    const name = JSON.stringify([spreadsheetId, title]);
    const nowMs = monotonicMs();
    if (nowMs - (this.refreshAskedAtMs.get(name) ?? -Infinity) < REFRESH_ASKED_EVERY_MS) return;
    if (this.refreshAskedAtMs.size >= SHEETS_REMEMBERED_MAX) this.refreshAskedAtMs.clear();
    this.refreshAskedAtMs.set(name, nowMs);
    this.fetcher.fetch(spreadsheetId, [title], 'refresh').catch(() => undefined);
  }

  /** Nobody has looked at this tab yet. The first lane that is granted a call pays for all. */
  private async firstLook(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    title: string,
    lanes: readonly CallLane[],
  ): Promise<ReadAnswer> {
    const known = await this.tabs.known(keys);
    const wholly = known.tabs.length === 0;
    const named = known.tabs.some((tab) => tab.title === title);
    if (known.complete && !named) throw unknownSheetError(title, known.tabs);

    let outcome: FetchOutcome | undefined;
    for (const lane of lanes) {
      if (!wholly && !named) await this.listTabs(keys, spreadsheetId, title, lane);
      outcome = await this.fetcher.fetch(spreadsheetId, wholly ? undefined : [title], lane);
      if (outcome.kind !== 'refused') {
        const granted = await this.afterFirstLook(keys, title, outcome, lane);
        if (granted !== undefined) return granted;
        break;
      }
    }
    if (outcome?.kind === 'rejected') throw rejectionError(outcome, spreadsheetId);
    throw refusalError(outcome as Exclude<FetchOutcome, { kind: 'fetched' | 'rejected' }>);
  }

  private async afterFirstLook(
    keys: SpreadsheetKeys,
    title: string,
    outcome: FetchOutcome,
    lane: CallLane,
  ): Promise<ReadAnswer | undefined> {
    if (outcome.kind !== 'fetched') return undefined;
    const { tabs } = await this.tabs.known(keys);
    const tab = tabs.find((candidate) => candidate.title === title);
    if (tab === undefined) throw unknownSheetError(title, tabs);
    const current = await this.store.current(keys, tab.sheetId);
    return current === undefined
      ? undefined
      : { ...current, tab, source: 'upstream', ...(lane === 'direct' ? {} : { degraded: 'quota' as const }) };
  }

  private async listTabs(keys: SpreadsheetKeys, spreadsheetId: string, title: string, lane: CallLane): Promise<void> {
    const answer = await this.fetcher.listTabs(spreadsheetId, lane);
    if (answer.kind === 'rejected' && answer.status !== 429) throw rejectionError(answer, spreadsheetId);
    if (answer.kind !== 'answered') return;
    const { tabs } = await this.tabs.known(keys);
    if (!tabs.some((tab) => tab.title === title)) throw unknownSheetError(title, tabs);
  }

  /** The upstream does not know the title that we remember: the tab was renamed or deleted. */
  private async afterRename(keys: SpreadsheetKeys, spreadsheetId: string, title: string): Promise<ReadAnswer> {
    await this.listTabs(keys, spreadsheetId, title, 'cold');
    return await this.firstLook(keys, spreadsheetId, title, ['direct', 'cold']);
  }

  private async fromMemory(keys: SpreadsheetKeys, title: string, error: unknown): Promise<ReadAnswer> {
    const tab = await this.tabs.find(keys, title).catch(() => undefined);
    const remembered = tab === undefined ? undefined : this.store.remembered(keys, tab.sheetId);
    if (tab !== undefined && remembered !== undefined)
      return { ...remembered, tab, source: 'snapshot', degraded: 'redis-unavailable' };
    throw new CodedError(
      {
        code: 'redis-unavailable',
        status: 503,
        message: 'Redis is not reachable and this process has no copy of the sheet; try again shortly',
        retryAfterMs: 1_000,
      },
      { cause: error },
    );
  }
}

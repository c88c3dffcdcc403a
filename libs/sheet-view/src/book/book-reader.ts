/**
 * Reads of a whole spreadsheet, cell by cell, as the Sheets v4 surface needs them: every answer comes from the view, and the mode only
 * decides whether it is refreshed first (see sheet-reader.ts, which does the same for the rows of one sheet).
 */
import { CodedError, isRedisUnavailable } from '@app/platform';
import type { CallLane } from '@app/sheets-client';
import { copiedSheetState, copiedWorkbook, type AnsweredSheet, type SheetState, type WorkbookState } from '@app/workbook';
import type { SpreadsheetKeys, WriteLog } from '@app/write-log';
import type { FetchOutcome, SheetFetcher } from '../fetcher';
import type { DegradedReason } from '../sheet-reader';
import type { BookDirectory, BookDocuments } from './book-documents';
import type { CellStore, CurrentCells } from './cell-store';
import { sheetCopy } from './sheet-copy';

/** Which sheets' cells an answer needs, by id; undefined: that cannot be said from the sheets that are known. */
export type SheetsNeeded = (book: WorkbookState) => readonly number[] | undefined;

export interface BookAnswer {
  readonly kind: 'book';
  /** The sheets that were needed have their cells, the others none. */
  readonly book: WorkbookState;
  readonly source: 'upstream' | 'snapshot';
  readonly degraded?: DegradedReason;
  /** Of the oldest part. */
  readonly ageMs: number;
  readonly pendingWrites: number;
  /** By sheet, the last write that the snapshot under its cells contains. */
  readonly containsThrough: ReadonlyMap<number, number>;
}

/** The upstream's own refusal, for the client to see; or why there is nothing to answer from. */
export type BookOutcome = BookAnswer | Exclude<FetchOutcome, { kind: 'fetched' }>;

/** A snapshot older than this is renewed in the background, as far as the `refresh` lane's share of the quota goes. */
const REFRESH_FROM_MS = 10_000;

interface Stored {
  readonly documents: BookDocuments;
  readonly needed: readonly number[];
  readonly views: ReadonlyMap<number, CurrentCells>;
  /** Nothing that the answer needs is missing. */
  readonly isWhole: boolean;
}

export class BookReader {
  constructor(
    private readonly log: WriteLog,
    private readonly store: CellStore,
    private readonly books: BookDirectory,
    private readonly fetcher: SheetFetcher,
    private readonly keyColumnName: string,
  ) {}

  /** For a client's read: refreshed first where the quota grants a direct call. */
  async read(spreadsheetId: string, needs: SheetsNeeded): Promise<BookOutcome> {
    const keys = this.log.keysOf(spreadsheetId);
    try {
      return await this.readThrough(keys, spreadsheetId, needs);
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      return this.fromMemory(keys, spreadsheetId, needs, error);
    }
  }

  /** For somebody who is about to write: fetched only where something is missing. */
  async readForWrite(spreadsheetId: string, needs: SheetsNeeded): Promise<BookOutcome> {
    const keys = this.log.keysOf(spreadsheetId);
    const stored = await this.stored(keys, spreadsheetId, needs);
    if (stored?.isWhole === true) return this.answer(spreadsheetId, stored, { source: 'snapshot' });
    return await this.firstLook(keys, spreadsheetId, needs, ['direct', 'cold']);
  }

  private async readThrough(keys: SpreadsheetKeys, spreadsheetId: string, needs: SheetsNeeded): Promise<BookOutcome> {
    const before = await this.stored(keys, spreadsheetId, needs);
    if (before?.isWhole !== true) return await this.firstLook(keys, spreadsheetId, needs, ['direct', 'cold']);

    const outcome = await this.fetch(spreadsheetId, before, 'direct');
    // A tab that we remember is not there under its title any more: everything is looked at anew.
    if (outcome.kind === 'rejected' && outcome.status === 400)
      return await this.firstLook(keys, spreadsheetId, needs, ['direct', 'cold']);
    if (outcome.kind === 'rejected' && outcome.status !== 429) return outcome;
    const stored = await this.stored(keys, spreadsheetId, needs);
    if (stored?.isWhole !== true) return await this.firstLook(keys, spreadsheetId, needs, ['cold']);
    if (outcome.kind === 'fetched') {
      const { lagging } = outcome.fetched;
      return this.answer(spreadsheetId, stored, {
        source: lagging ? 'snapshot' : 'upstream',
        ...(lagging ? { degraded: 'upstream-lagging' as const } : {}),
      });
    }
    const degraded = outcome.kind === 'refused' ? 'quota' : 'upstream-unavailable';
    const answer = this.answer(spreadsheetId, stored, { source: 'snapshot', degraded });
    if (answer.ageMs >= REFRESH_FROM_MS) this.fetch(spreadsheetId, stored, 'refresh').catch(() => undefined);
    return answer;
  }

  /** Something that the answer needs has not been seen yet: one call for all of it. The first lane that is granted one pays. */
  private async firstLook(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    needs: SheetsNeeded,
    lanes: readonly CallLane[],
  ): Promise<BookOutcome> {
    let outcome: FetchOutcome | undefined;
    for (const lane of lanes) {
      const before = await this.stored(keys, spreadsheetId, needs);
      const cellsWanted = before === undefined || before.needed.length > 0 || !before.isWhole;
      outcome = await this.fetcher.fetch(spreadsheetId, undefined, lane, cellsWanted ? 'book' : 'properties');
      if (outcome.kind === 'refused') continue;
      if (outcome.kind !== 'fetched') break;
      const stored = await this.stored(keys, spreadsheetId, needs, { fresh: true });
      if (stored === undefined) break;
      return this.answer(spreadsheetId, stored, {
        source: 'upstream',
        ...(lane === 'direct' ? {} : { degraded: 'quota' as const }),
      });
    }
    if (outcome === undefined || outcome.kind === 'fetched') {
      return { kind: 'unknown', message: 'the spreadsheet was fetched, and is not there to read' };
    }
    return outcome;
  }

  private async fetch(spreadsheetId: string, { documents, needed }: Stored, lane: CallLane): Promise<FetchOutcome> {
    if (needed.length === 0) return await this.fetcher.fetch(spreadsheetId, undefined, lane, 'properties');
    const titles = documents.sheets
      .filter((sheet) => needed.includes(idOf(sheet)))
      .map(({ properties }) => properties.title ?? '');
    return await this.fetcher.fetch(spreadsheetId, titles, lane, 'book');
  }

  /** @param options fresh: what was fetched just now is all there is, so a sheet that cannot be named does not exist */
  private async stored(
    keys: SpreadsheetKeys,
    spreadsheetId: string,
    needs: SheetsNeeded,
    { fresh = false } = {},
  ): Promise<Stored | undefined> {
    const documents = await this.books.current(keys);
    if (documents === undefined) return undefined;
    const named = needs(bookOf(spreadsheetId, documents, new Map(), this.keyColumnName));
    const needed = named ?? [];
    const views = new Map<number, CurrentCells>();
    await Promise.all(
      needed.map(async (sheetId) => {
        const view = await this.store.current(keys, sheetId);
        if (view !== undefined) views.set(sheetId, view);
      }),
    );
    return { documents, needed, views, isWhole: fresh || (named !== undefined && views.size === needed.length) };
  }

  private answer(spreadsheetId: string, { documents, views }: Stored, how: Pick<BookAnswer, 'source' | 'degraded'>): BookAnswer {
    const current = [...views.values()];
    const ageMs =
      current.length > 0
        ? Math.max(...current.map((view) => view.ageMs))
        : how.source === 'upstream'
          ? 0
          : Math.max(0, Date.now() - documents.fetchedAtMs);
    return {
      kind: 'book',
      book: bookOf(spreadsheetId, documents, views, this.keyColumnName),
      ...how,
      ageMs,
      pendingWrites: current.reduce((sum, view) => sum + view.pendingWrites, 0),
      containsThrough: new Map([...views].map(([sheetId, view]) => [sheetId, view.containsThrough])),
    };
  }

  private fromMemory(keys: SpreadsheetKeys, spreadsheetId: string, needs: SheetsNeeded, error: unknown): BookAnswer {
    const documents = this.books.lastKnown(keys);
    const needed = documents && needs(bookOf(spreadsheetId, documents, new Map(), this.keyColumnName));
    const views = new Map((needed ?? []).map((sheetId) => [sheetId, this.store.remembered(keys, sheetId)] as const));
    if (documents === undefined || needed === undefined || [...views.values()].includes(undefined)) {
      const message = 'Redis is not reachable and this process has no copy of the spreadsheet; try again shortly';
      throw new CodedError({ code: 'redis-unavailable', status: 503, message, retryAfterMs: 1_000 }, { cause: error });
    }
    const stored = { documents, needed, views: views as ReadonlyMap<number, CurrentCells>, isWhole: true };
    return this.answer(spreadsheetId, stored, { source: 'snapshot', degraded: 'redis-unavailable' });
  }
}

function bookOf(
  spreadsheetId: string,
  { head, sheets }: BookDocuments,
  views: ReadonlyMap<number, CurrentCells>,
  keyColumnName: string,
): WorkbookState {
  const states = sheets.map((document): SheetState => {
    const current = views.get(idOf(document));
    return current === undefined ? copiedSheetState(document, []) : sheetCopy(current.cells, document, keyColumnName);
  });
  return copiedWorkbook(spreadsheetId, head, states);
}

function idOf(sheet: AnsweredSheet): number {
  return sheet.properties.sheetId ?? 0;
}

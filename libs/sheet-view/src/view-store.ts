/**
 * Where views come from: Redis holds snapshot and log, each process keeps the views that it has made, by version. A read asks for
 * what has changed since; mostly nothing, which is one small round trip. Readers who come while a question is on its way wait
 * together for the next one, so that each sees every write that was acknowledged before it came.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadLuaScript, testedWithout, type RedisClient } from '@app/platform';
import { isRowsWrite, type LoggedWrite, type SpreadsheetKeys } from '@app/write-log';
import { contentWith } from './book/sheet-copy';
import { SheetView } from './sheet-view';
import { columnsOf, keyText } from './columns';
import { ViewCache } from './view-cache';
import { unformatted, type SnapshotContent } from './snapshot';
import type { SnapshotRegister } from './snapshot-register';

const LUA = join(__dirname, 'lua');
const readSheet = loadLuaScript(LUA, 'read-sheet');
const storeSnapshot = loadLuaScript(LUA, 'store-snapshot');

/**
 * Memory of a view by byte of its snapshot's JSON: the cells as parsed, the rows as strings, the whole as bytes. Measured by
 * `npm run bench -- --only 7`.
 */
const BYTES_PER_SNAPSHOT_BYTE = 7;

/** What a process keeps of views unless told otherwise. */
const VIEW_BYTES_MAX = 256 * 1024 * 1024;

export interface CurrentView {
  readonly view: SheetView;
  /** Changes only with what a reader sees. */
  readonly version: string;
  /** Since the snapshot under the view was fetched. */
  readonly ageMs: number;
  readonly pendingWrites: number;
}

interface Kept extends CurrentView {
  readonly baseId: string;
  readonly removals: number;
  /** The last log number that the view shows. */
  readonly seenThrough: number;
  /** What it costs to keep, as an estimate. */
  readonly bytes: number;
}

interface Flight {
  readonly current: Promise<CurrentView | undefined>;
  next?: Promise<CurrentView | undefined>;
}

export class ViewStore {
  private readonly kept: ViewCache<Kept>;
  private readonly flights = new Map<string, Flight>();

  constructor(
    private readonly redis: RedisClient,
    private readonly keyColumnName: string,
    private readonly register?: SnapshotRegister,
    viewBytesMax = VIEW_BYTES_MAX,
  ) {
    this.kept = new ViewCache(viewBytesMax);
  }

  /** Views in memory, and what they cost as an estimate. */
  get memory(): { readonly views: number; readonly bytes: number } {
    return { views: this.kept.size, bytes: this.kept.bytes };
  }

  /** The view as of now, or undefined where the sheet has no snapshot. */
  current(keys: SpreadsheetKeys, sheetId: number): Promise<CurrentView | undefined> {
    const name = `${keys.base}${sheetId}`;
    const flight = this.flights.get(name);
    if (flight !== undefined) {
      flight.next ??= flight.current.then(
        () => this.depart(name, keys, sheetId),
        () => this.depart(name, keys, sheetId),
      );
      return flight.next;
    }
    return this.depart(name, keys, sheetId);
  }

  /** What this process last knew, without asking anybody: for when Redis is away. */
  remembered(keys: SpreadsheetKeys, sheetId: number): CurrentView | undefined {
    return this.kept.get(`${keys.base}${sheetId}`);
  }

  /** For operators: how many views this process keeps, and what they cost, as an estimate. */
  facts(): { readonly views: number; readonly bytes: number } {
    return { views: this.kept.size, bytes: this.kept.bytes };
  }

  private depart(name: string, keys: SpreadsheetKeys, sheetId: number): Promise<CurrentView | undefined> {
    const flight: Flight = {
      current: this.load(name, keys, sheetId).finally(() => {
        // With readers waiting for the next one, it stays in its place until that departs: who comes in between waits with them.
        if (this.flights.get(name) === flight && flight.next === undefined) this.flights.delete(name);
      }),
    };
    this.flights.set(name, flight);
    return flight.current;
  }

  private async load(name: string, keys: SpreadsheetKeys, sheetId: number): Promise<CurrentView | undefined> {
    const kept = this.kept.get(name);
    const args = [sheetId, kept?.version ?? '', kept?.baseId ?? '', kept?.removals ?? 0, kept?.seenThrough ?? 0];
    const reply = (await readSheet.run(this.redis, [keys.base], args)) as (string | number)[];
    const [version, ageMs, pendingWrites] = reply as [string, number, number];
    if (ageMs < 0) return undefined;
    if (reply.length === 3) return this.keep(name, { ...(kept as Kept), ageMs, pendingWrites });

    const [baseId, removals, through, snapshot] = reply.slice(3) as [string, number, number, string];
    let view = snapshot === '' ? (kept as Kept).view : new SheetView(JSON.parse(snapshot) as SnapshotContent, this.keyColumnName);
    let seenThrough = snapshot === '' ? (kept as Kept).seenThrough : through;
    let bytes = snapshot === '' ? (kept as Kept).bytes : snapshot.length * BYTES_PER_SNAPSHOT_BYTE;
    for (let at = 7; at < reply.length; at += 2) {
      if (reply[at + 1] === '') continue;
      const number = Number(reply[at]);
      bytes += String(reply[at + 1]).length * BYTES_PER_SNAPSHOT_BYTE;
      view = this.showing(view, { number, ...(JSON.parse(String(reply[at + 1])) as Omit<LoggedWrite, 'number'>) });
      seenThrough = number;
    }
    return this.keep(name, { view, version, ageMs, pendingWrites, baseId, removals, seenThrough, bytes });
  }

  /** A write by position may change any cell, the header included: the rows are made anew. */
  private showing(view: SheetView, write: LoggedWrite): SheetView {
    if (!isRowsWrite(write))
      return new SheetView(contentWith(view.content, [...view.applied, write], this.keyColumnName), this.keyColumnName);
    view.apply(write);
    return view;
  }

  private keep(name: string, kept: Kept): Kept {
    this.kept.keep(name, kept);
    return kept;
  }

  /**
   * Makes a fetched sheet its snapshot, unless the stored one contains more.
   * @param contains the last log number that the fetched sheet contains, and of which epoch of the log
   * @param sinceSentMs how long ago the fetch was sent
   * @returns the last log number that the stored snapshot contains now
   */
  async store(
    keys: SpreadsheetKeys,
    content: SnapshotContent,
    contains: { readonly through: number; readonly epoch: string },
    sinceSentMs: number,
  ): Promise<{ storedThrough: number }> {
    const { sheetId, title, index } = content;
    const { through, epoch } = contains;
    // Compared with the view as of now: what this process saw some time ago would differ by what others have written since.
    await this.current(keys, sheetId);
    const kept = this.kept.get(`${keys.base}${sheetId}`);
    // Only a view without writes of its own on top can be compared with a fetched sheet, cell by cell.
    const same =
      kept !== undefined && kept.seenThrough <= through && kept.view.showsTheSameAs(new SheetView(content, this.keyColumnName));
    const args = [
      sheetId,
      randomBytes(6).toString('hex'),
      through,
      Math.round(sinceSentMs),
      JSON.stringify(content),
      JSON.stringify({ sheetId, title, index }),
      kept?.version ?? '',
      same ? '1' : '0',
      epoch,
      testedWithout('contains-check') ? '1' : '0',
      `${content.rowCount} ${content.columnCount}`,
      content.cells.length,
      endsWithKeyedRow(content, this.keyColumnName) ? '0' : '1',
    ];
    const [storedThrough] = (await storeSnapshot.run(this.redis, [keys.base], args)) as [number];
    // For operators only: nobody waits for it, and without it the list lacks a line until the next fetch.
    void this.register?.note(keys, sheetId).catch(() => undefined);
    return { storedThrough };
  }
}

/** Nothing without a key stands below the last row with one: rows are appended to the free rows of the grid. */
function endsWithKeyedRow({ cells }: SnapshotContent, keyColumnName: string): boolean {
  const keyColumn = columnsOf(cells[0]).byName.get(keyColumnName);
  return cells.length <= 1 || (keyColumn !== undefined && keyText(unformatted(cells[cells.length - 1][keyColumn])) !== '');
}

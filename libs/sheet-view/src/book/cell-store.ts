/**
 * Sheets cell by cell: the snapshot in Redis and the writes that it does not contain, kept in memory by version. Beside view-store.ts,
 * since what looks the same to a reader of rows may differ for a reader of cells: here every new snapshot counts.
 */
import { join } from 'node:path';
import { loadLuaScript, type RedisClient } from '@app/platform';
import type { LoggedWrite, SpreadsheetKeys } from '@app/write-log';
import type { SnapshotContent } from '../snapshot';
import { ViewCache } from '../view-cache';
import type { WrittenOn } from './sheet-copy';

const readSheet = loadLuaScript(join(__dirname, '..', 'lua'), 'read-sheet');

/** Memory of a sheet by byte of its snapshot's JSON: a cell as parsed, and once more as the copy that is read from. An estimate. */
const BYTES_PER_SNAPSHOT_BYTE = 20;

/** What a process keeps of them. */
const CELLS_BYTES_MAX = 256 * 1024 * 1024;

/** Writes are only added, so that what was made of the first ones need not be made again. */
class SheetCells implements WrittenOn {
  readonly applied: LoggedWrite[] = [];

  constructor(readonly content: SnapshotContent) {}

  /** Two calls may have asked for the same ones at once. */
  add(write: LoggedWrite): void {
    if (write.number > (this.applied.at(-1)?.number ?? 0)) this.applied.push(write);
  }
}

export interface CurrentCells {
  readonly cells: WrittenOn;
  /** The last write that the snapshot contains. */
  readonly containsThrough: number;
  readonly ageMs: number;
  readonly pendingWrites: number;
}

interface Kept extends CurrentCells {
  readonly cells: SheetCells;
  readonly version: string;
  readonly snapshotId: string;
  readonly removals: number;
  readonly seenThrough: number;
  readonly bytes: number;
}

export class CellStore {
  private readonly kept = new ViewCache<Kept>(CELLS_BYTES_MAX);

  constructor(private readonly redis: RedisClient) {}

  /** As of now, or undefined where the sheet has no snapshot. */
  async current(keys: SpreadsheetKeys, sheetId: number): Promise<CurrentCells | undefined> {
    const name = `${keys.base}${sheetId}`;
    const known = this.kept.get(name);
    const args = [sheetId, known?.version ?? '', known?.snapshotId ?? '', known?.removals ?? 0, known?.seenThrough ?? 0, 'cells'];
    const reply = (await readSheet.run(this.redis, [keys.base], args)) as (string | number)[];
    const [version, ageMs, pendingWrites] = reply as [string, number, number];
    if (ageMs < 0) return undefined;
    if (reply.length === 3) return this.keep(name, { ...(known as Kept), ageMs, pendingWrites });

    const [snapshotId, removals, through, snapshot] = reply.slice(3) as [string, number, number, string];
    const isNew = snapshot !== '';
    const base = known as Kept;
    const cells = isNew ? new SheetCells(JSON.parse(snapshot) as SnapshotContent) : base.cells;
    let seenThrough = isNew ? through : base.seenThrough;
    let bytes = isNew ? snapshot.length * BYTES_PER_SNAPSHOT_BYTE : base.bytes;
    for (let at = 7; at < reply.length; at += 2) {
      if (reply[at + 1] === '') continue;
      seenThrough = Number(reply[at]);
      cells.add({ number: seenThrough, ...(JSON.parse(String(reply[at + 1])) as Omit<LoggedWrite, 'number'>) });
      bytes += String(reply[at + 1]).length * BYTES_PER_SNAPSHOT_BYTE;
    }
    const containsThrough = isNew ? through : base.containsThrough;
    return this.keep(name, { cells, containsThrough, ageMs, pendingWrites, version, snapshotId, removals, seenThrough, bytes });
  }

  /** What this process last knew, without asking anybody: for when Redis is away. */
  remembered(keys: SpreadsheetKeys, sheetId: number): CurrentCells | undefined {
    return this.kept.get(`${keys.base}${sheetId}`);
  }

  private keep(name: string, kept: Kept): Kept {
    this.kept.keep(name, kept);
    return kept;
  }
}

/**
 * What a spreadsheet is beside its cells: its properties, its sheets in their order, named ranges, merges and so on, as the
 * upstream last answered it. Kept in Redis for all processes; each process keeps what it read, by version.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadLuaScript, type RedisClient } from '@app/platform';
import type { AnsweredSheet, AnsweredSpreadsheet } from '@app/workbook';
import { COMMIT_ENTRY_KEY, type SpreadsheetKeys } from '@app/write-log';

const storeBook = loadLuaScript(join(__dirname, '..', 'lua'), 'store-book');

/** Keeps the memory of a process that is asked for ever new spreadsheets within bounds. */
const BOOKS_REMEMBERED_MAX = 500;

export interface BookDocuments {
  readonly version: string;
  readonly fetchedAtMs: number;
  readonly head: AnsweredSpreadsheet;
  /** Those that have been heard of, in the order of the tabs. */
  readonly sheets: readonly AnsweredSheet[];
}

export class BookDirectory {
  private readonly remembered = new Map<string, BookDocuments>();

  constructor(private readonly redis: RedisClient) {}

  async current(keys: SpreadsheetKeys): Promise<BookDocuments | undefined> {
    const known = this.remembered.get(keys.base);
    const version = await this.redis.hget(keys.book, 'version');
    if (version === null) return undefined;
    if (known?.version === version) return known;
    const [facts, sheets] = await Promise.all([this.redis.hgetall(keys.book), this.redis.hvals(keys.bookSheets)]);
    const documents: BookDocuments = {
      version: facts.version,
      fetchedAtMs: Number(facts.fetchedAtMs),
      head: JSON.parse(facts.head) as AnsweredSpreadsheet,
      sheets: sheets.map((text) => JSON.parse(text) as AnsweredSheet).sort((a, b) => indexOf(a) - indexOf(b)),
    };
    this.remembered.delete(keys.base);
    this.remembered.set(keys.base, documents);
    if (this.remembered.size > BOOKS_REMEMBERED_MAX) this.remembered.delete(this.remembered.keys().next().value as string);
    return documents;
  }

  /** What this process last knew, without asking anybody: for when Redis is away. */
  lastKnown(keys: SpreadsheetKeys): BookDocuments | undefined {
    return this.remembered.get(keys.base);
  }

  /** What is known no longer holds: the next reader looks anew. */
  async forget(keys: SpreadsheetKeys): Promise<void> {
    await this.redis.del(keys.book, keys.bookSheets, keys.tabsComplete);
  }

  /** @param isWhole the answer names every sheet that there is */
  async store(
    keys: SpreadsheetKeys,
    { sheets = [], ...head }: AnsweredSpreadsheet,
    { isWhole, sinceSentMs }: { readonly isWhole: boolean; readonly sinceSentMs: number },
  ): Promise<void> {
    const pairs = sheets.flatMap(({ data: _cells, ...sheet }) => [sheet.properties.sheetId ?? 0, JSON.stringify(sheet)]);
    const args = [
      randomBytes(6).toString('hex'),
      Math.round(sinceSentMs),
      JSON.stringify(withoutCommitEntries(head)),
      isWhole ? '1' : '0',
    ];
    await storeBook.run(this.redis, [keys.base], [...args, ...pairs]);
  }
}

/** Commit entries are the gateway's own: no client sees them. */
export function withoutCommitEntries<T extends Pick<AnsweredSpreadsheet, 'developerMetadata'>>(spreadsheet: T): T {
  const { developerMetadata, ...rest } = spreadsheet;
  const others = (developerMetadata ?? []).filter(({ metadataKey }) => metadataKey !== COMMIT_ENTRY_KEY);
  return (others.length > 0 ? { ...rest, developerMetadata: others } : rest) as T;
}

function indexOf(sheet: AnsweredSheet): number {
  return sheet.properties.index ?? 0;
}

/**
 * Which tabs a spreadsheet has, as far as is known: learnt from every fetch, complete where a fetch named all. So the way from a
 * tab's title to its id costs no upstream call.
 */
import { join } from 'node:path';
import { loadLuaScript, monotonicMs, type RedisClient } from '@app/platform';
import type { SpreadsheetKeys } from '@app/write-log';

const storeTabs = loadLuaScript(join(__dirname, 'lua'), 'store-tabs');

/** A title that is not among all tabs is believed not to exist for so long: a wrong name costs at most two calls a minute. */
const COMPLETE_FOR_MS = 30_000;

export interface Tab {
  readonly sheetId: number;
  readonly title: string;
  readonly index: number;
}

/** A tab as a fetch shows it. */
export interface ListedTab extends Tab {
  readonly rowCount: number;
  readonly columnCount: number;
}

export interface KnownTabs {
  readonly tabs: readonly Tab[];
  /** These are all that exist. */
  readonly complete: boolean;
}

/** Keeps the memory of a process that is asked for ever new spreadsheets within bounds. */
const SPREADSHEETS_REMEMBERED_MAX = 10_000;

/** A renamed tab is still found under its old title for so long by a process that did not see the change. */
const REMEMBERED_FOR_MS = 1_000;

export class TabDirectory {
  private readonly remembered = new Map<string, { readonly known: KnownTabs; readonly atMs: number }>();

  constructor(private readonly redis: RedisClient) {}

  /** The tab of that title where this process heard of it within the last second; nobody is asked. */
  remembers(keys: SpreadsheetKeys, title: string): Tab | undefined {
    const remembered = this.remembered.get(keys.base);
    if (remembered === undefined || monotonicMs() - remembered.atMs >= REMEMBERED_FOR_MS) return undefined;
    return remembered.known.tabs.find((tab) => tab.title === title);
  }

  /** The tab of that title where this process has heard of it: at most a second old, and without a time limit if Redis is away. */
  async find(keys: SpreadsheetKeys, title: string): Promise<Tab | undefined> {
    const fresh = this.remembers(keys, title);
    if (fresh !== undefined) return fresh;
    const titled = this.remembered.get(keys.base)?.known.tabs.find((tab) => tab.title === title);
    try {
      return (await this.known(keys)).tabs.find((tab) => tab.title === title);
    } catch (error) {
      if (titled !== undefined) return titled;
      throw error;
    }
  }

  async known(keys: SpreadsheetKeys): Promise<KnownTabs> {
    // In this order: asked for the tabs first, a list that is stored in between would make "complete" of the empty one before it.
    const [complete, values] = await Promise.all([this.redis.exists(keys.tabsComplete), this.redis.hvals(keys.tabs)]);
    const tabs = values.map((value) => JSON.parse(value) as Tab).sort((a, b) => a.index - b.index);
    const known = { tabs, complete: complete === 1 };
    this.remembered.set(keys.base, { known, atMs: monotonicMs() });
    if (this.remembered.size > SPREADSHEETS_REMEMBERED_MAX) this.remembered.delete(this.remembered.keys().next().value as string);
    return known;
  }

  async replace(keys: SpreadsheetKeys, tabs: readonly ListedTab[]): Promise<void> {
    const fields = tabs.flatMap(({ sheetId, title, index, rowCount, columnCount }) => [
      sheetId,
      JSON.stringify({ sheetId, title, index }),
      `${rowCount} ${columnCount}`,
    ]);
    await storeTabs.run(this.redis, [keys.base], [COMPLETE_FOR_MS, ...fields]);
    this.remembered.delete(keys.base);
  }
}

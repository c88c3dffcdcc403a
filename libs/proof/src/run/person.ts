/** A scripted person at the spreadsheet, with rows of their own. What they leave there has to be there at the end. */
import { pause } from '@app/platform';
import type { HistoryChecker } from '../history';
import type { Counts } from './counts';
import type { Random } from './random';
import { HEADER, type Spreadsheet, type TabName } from './spreadsheet';

/** Rows that a person keeps in a tab. */
const ROWS_MAX = 8;

export interface PersonSurroundings {
  readonly spreadsheet: Spreadsheet;
  readonly checker: HistoryChecker;
  readonly counts: Counts;
  /** Runs `work` while no client asks for anything and nothing is pending; skips it where that does not come about. */
  readonly whileQuiet: (work: () => Promise<void>) => Promise<void>;
  readonly stopped: () => boolean;
}

export class Person {
  readonly rows = new Map<TabName, Map<string, number>>([
    ['rows', new Map()],
    ['shared', new Map()],
  ]);
  private sequence = 0;

  constructor(
    private readonly random: Random,
    private readonly around: PersonSurroundings,
  ) {}

  async run(): Promise<void> {
    while (!this.around.stopped()) {
      if (this.random.chance(0.15)) await this.around.whileQuiet(() => this.move('rows'));
      else await this.edit();
      await pause(this.random.between(50, 400));
    }
  }

  private async edit(): Promise<void> {
    const tab = this.random.pick(['rows', 'shared'] as const);
    const mine = this.rows.get(tab) as Map<string, number>;
    const drawn = this.random.next();
    if (mine.size === 0 || (drawn < 0.35 && mine.size < ROWS_MAX)) return await this.append(tab, mine);
    if (drawn < 0.7) return await this.change(tab, mine);
    if (tab === 'shared') await this.move(tab);
  }

  private async append(tab: TabName, mine: Map<string, number>): Promise<void> {
    this.sequence += 1;
    const key = `person-${this.sequence}`;
    this.around.checker.take({ type: 'person', key });
    await this.around.spreadsheet.append(tab, [key, 1, 'person', 'typed']);
    mine.set(key, 1);
    this.around.counts.add('person', 'append');
  }

  /** In place: no row moves. The look and the edit are two steps, as with any person; only in `shared` can a row have moved. */
  private async change(tab: TabName, mine: Map<string, number>): Promise<void> {
    const key = this.random.pick([...mine.keys()]);
    const counter = (mine.get(key) as number) + 1;
    const index = await this.indexOf(tab, key);
    if (index === undefined) return;
    await this.around.spreadsheet.setCounter(tab, index, counter);
    mine.set(key, counter);
    this.around.counts.add('person', 'edit');
  }

  /** Something after which rows are elsewhere. */
  private async move(tab: TabName): Promise<void> {
    const { random, around } = this;
    const mine = this.rows.get(tab) as Map<string, number>;
    const drawn = random.next();
    if (drawn < 0.4) {
      await around.spreadsheet.sort(tab, random.between(0, HEADER.length - 1), random.chance(0.5));
      around.counts.add('person', 'sort');
    } else if (drawn < 0.6 || mine.size === 0) {
      const rows = await around.spreadsheet.cells(tab);
      await around.spreadsheet.insertRow(tab, random.between(1, Math.max(1, rows.length)));
      around.counts.add('person', 'insert a row');
    } else {
      const key = random.pick([...mine.keys()]);
      const index = await this.indexOf(tab, key);
      if (index === undefined) return;
      mine.delete(key);
      await around.spreadsheet.deleteRow(tab, index);
      around.counts.add('person', 'delete');
    }
  }

  private async indexOf(tab: TabName, key: string): Promise<number | undefined> {
    const at = (await this.around.spreadsheet.cells(tab)).findIndex((row) => row[0] === key);
    // The header is above.
    return at < 0 ? undefined : at + 1;
  }
}

/**
 * Keeps the spreadsheets in a folder, one file each. A change is on disk at most FLUSH_DELAY_MS after it was made; a file is
 * written whole beside the old one and then takes its place, so that a crash leaves the old or the new, never a half.
 * Since a row never changes once it is part of a state, its text is made once and used again for every later flush.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row, SheetState, WorkbookState } from '@app/workbook';
import type { SpreadsheetStore } from './store';

const FLUSH_DELAY_MS = 100;
const SUFFIX = '.json';

export class SpreadsheetDisk {
  private timer?: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();
  private readonly rowTexts = new WeakMap<Row, string>();

  constructor(
    private readonly folder: string,
    private readonly store: SpreadsheetStore,
    private readonly report: (message: string) => void,
  ) {}

  load(): WorkbookState[] {
    mkdirSync(this.folder, { recursive: true });
    const names = readdirSync(this.folder).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => this.read(join(this.folder, name)));
  }

  private read(file: string): WorkbookState {
    try {
      return revive(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      const reason = `${file} holds no spreadsheet that can be read: ${(error as Error).message}`;
      throw new Error(`${reason}. Move it away to start without it.`, { cause: error });
    }
  }

  watch(): void {
    this.store.onChange(() => {
      this.timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY_MS);
    });
  }

  /** Resolves when all that has changed so far is on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const changed = this.store.takeChanged();
    this.writing = this.writing.then(async () => {
      for (const [id, state] of changed) await this.write(id, state);
    });
    await this.writing;
  }

  private async write(id: string, state: WorkbookState | undefined): Promise<void> {
    const file = join(this.folder, `${encodeURIComponent(id)}${SUFFIX}`);
    try {
      if (!state) return await rm(file, { force: true });
      await writeFile(`${file}.new`, this.text(state));
      await rename(`${file}.new`, file);
    } catch (error) {
      this.report(`the spreadsheet ${id} could not be written to ${this.folder}: ${(error as Error).message}`);
    }
  }

  private text(state: WorkbookState): string {
    const { sheets, ...rest } = state;
    return `{"book":${JSON.stringify(rest)},"sheets":[\n${sheets.map((sheet) => this.sheetText(sheet)).join(',\n')}\n]}\n`;
  }

  private sheetText({ rows, ...rest }: SheetState): string {
    return `{"sheet":${JSON.stringify(rest)},"rows":[\n${rows.map((row) => (row ? this.rowText(row) : 'null')).join(',\n')}\n]}`;
  }

  private rowText(row: Row): string {
    const known = this.rowTexts.get(row);
    if (known !== undefined) return known;
    const text = JSON.stringify(Array.from(row, (cell) => cell ?? null));
    this.rowTexts.set(row, text);
    return text;
  }
}

function revive(file: unknown): WorkbookState {
  const { book, sheets } = file as {
    book: Omit<WorkbookState, 'sheets'>;
    sheets: { sheet: Omit<SheetState, 'rows'>; rows: (Row | null)[] }[];
  };
  const holes = <T>(items: readonly (T | null)[]) => items.map((item) => item ?? undefined);
  return {
    ...book,
    sheets: sheets.map(({ sheet, rows }) => ({
      ...sheet,
      rowStates: holes(sheet.rowStates),
      columnStates: holes(sheet.columnStates),
      rows: rows.map((row) => (row ? holes(row) : undefined)),
    })),
  };
}

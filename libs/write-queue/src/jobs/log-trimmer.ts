/**
 * Keeps the log short where no reader does: a settled write stays in it until a snapshot contains it, and only a fetch brings one.
 * A call of the `refresh` lane pays for it, when a spreadsheet falls silent, and while Redis is so full that accepts have stopped.
 */
import { Injectable } from '@nestjs/common';
import { monotonicMs } from '@app/platform';
import { SheetFetcher, TabDirectory } from '@app/sheet-view';
import { WriteLog, type SpreadsheetKeys } from '@app/write-log';

/** A spreadsheet is fetched for this at most so often by a process. */
const EVERY_MS = 5_000;

@Injectable()
export class LogTrimmer {
  private readonly trimmedAtMs = new Map<string, number>();

  constructor(
    private readonly log: WriteLog,
    private readonly tabs: TabDirectory,
    private readonly fetcher: SheetFetcher,
  ) {}

  /** @returns whether nothing settled is left in the log. */
  async trim(keys: SpreadsheetKeys, spreadsheetId: string): Promise<boolean> {
    const { tabs } = await this.tabs.known(keys);
    const untrimmed = await this.log.untrimmed(
      keys,
      tabs.map((tab) => tab.sheetId),
    );
    if (untrimmed.length === 0) {
      this.trimmedAtMs.delete(keys.base);
      return true;
    }
    if (monotonicMs() - (this.trimmedAtMs.get(keys.base) ?? -Infinity) < EVERY_MS) return false;
    this.trimmedAtMs.set(keys.base, monotonicMs());
    const titles = tabs.filter((tab) => untrimmed.includes(tab.sheetId)).map((tab) => tab.title);
    const outcome = await this.fetcher.fetch(spreadsheetId, titles, 'refresh');
    // Only a refusal of the quota is worth another try: whatever else fails is for the next writer or reader to meet.
    return outcome.kind !== 'refused';
  }
}

/**
 * Ten million cells are all that a workbook can have: an append that cannot fit is refused before it touches the log. What is known of
 * the tabs may be old, so a refusal is believed only after a look, and a workbook is looked at for that at most every `LOOK_EVERY_MS`.
 */
import { Injectable, Logger } from '@nestjs/common';
import { monotonicMs } from '@app/platform';
import { SheetFetcher } from '@app/sheet-view';
import { WORKBOOK_NEARLY_FULL_RATIO, WriteLog } from '@app/write-log';

/** Two calls in so long at most, whoever keeps appending to a full workbook. */
const LOOK_EVERY_MS = 10_000;

/** Keeps the memory of a process that meets ever new full workbooks within bounds. */
const WORKBOOKS_REMEMBERED_MAX = 10_000;

@Injectable()
export class WorkbookGuard {
  private readonly lookedAtMs = new Map<string, number>();
  private readonly logger = new Logger('workbook');

  constructor(
    private readonly log: WriteLog,
    private readonly fetcher: SheetFetcher,
  ) {}

  /** Looks how large the workbook and the tab are now. @returns whether anything was seen: then asking again can help. */
  async lookAgain(spreadsheetId: string, { sheetTitle }: { readonly sheetTitle: string }): Promise<boolean> {
    if (monotonicMs() - (this.lookedAtMs.get(spreadsheetId) ?? -Infinity) < LOOK_EVERY_MS) return false;
    this.lookedAtMs.set(spreadsheetId, monotonicMs());
    if (this.lookedAtMs.size > WORKBOOKS_REMEMBERED_MAX) this.lookedAtMs.delete(this.lookedAtMs.keys().next().value as string);
    for (const lane of ['direct', 'cold'] as const) {
      const listed = await this.fetcher.listTabs(spreadsheetId, lane);
      if (listed.kind === 'refused') continue;
      return listed.kind === 'answered' && (await this.fetcher.fetch(spreadsheetId, [sheetTitle], lane)).kind === 'fetched';
    }
    return false;
  }

  async warnNearlyFull(spreadsheetId: string): Promise<void> {
    const fill = await this.log.workbookFill(spreadsheetId);
    if (fill === undefined) return;
    const percent = `${100 * WORKBOOK_NEARLY_FULL_RATIO} %`;
    this.logger.warn(
      `spreadsheet ${spreadsheetId} is past ${percent} of what it can hold: ${fill.cells} of ${fill.cellsMax} cells, accepted writes included; ` +
        'appends that do not fit will be refused',
    );
  }
}

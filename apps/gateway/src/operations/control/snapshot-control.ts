/** Fetches a sheet because an operator asks for it. */
import { Injectable } from '@nestjs/common';
import { refusalError, rejectionError, SheetFetcher, TabDirectory, unknownSheetError } from '@app/sheet-view';
import { WriteLog } from '@app/write-log';

export interface RefreshedSnapshots {
  readonly spreadsheetId: string;
  readonly sheets: readonly { readonly sheet: string; readonly rows: number }[];
  /** True: the upstream showed less than the snapshot that was there, which therefore stays. */
  readonly lagging: boolean;
}

@Injectable()
export class SnapshotControl {
  constructor(
    private readonly fetcher: SheetFetcher,
    private readonly tabs: TabDirectory,
    private readonly log: WriteLog,
  ) {}

  /** One upstream call of the `cold` lane. @param sheet absent: every tab */
  async refresh(spreadsheetId: string, sheet: string | undefined): Promise<RefreshedSnapshots> {
    const outcome = await this.fetcher.fetch(spreadsheetId, sheet === undefined ? undefined : [sheet], 'cold');
    if (outcome.kind === 'rejected') {
      if (sheet !== undefined && outcome.status === 400)
        throw unknownSheetError(sheet, (await this.tabs.known(this.log.keysOf(spreadsheetId))).tabs);
      throw rejectionError(outcome, spreadsheetId);
    }
    if (outcome.kind !== 'fetched') throw refusalError(outcome);
    const { contents, lagging } = outcome.fetched;
    return {
      spreadsheetId,
      sheets: contents.map(({ title, cells }) => ({ sheet: title, rows: Math.max(0, cells.length - 1) })),
      lagging,
    };
  }
}

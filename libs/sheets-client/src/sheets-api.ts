/** The methods of the Sheets v4 API that the gateway uses, each as one call. */
import { quoteTitle, type RowData } from '@app/sheets-wire';
import type { CallLane } from './call-gate';
import type { UpstreamAnswer } from './upstream-answer';
import type { UpstreamClient } from './upstream-client';

const CELLS_FIELDS = 'data(rowData(values(userEnteredValue,effectiveValue,formattedValue,effectiveFormat.numberFormat.type)))';

/** The cells of a sheet and what says which batches they contain, in one answer. Source: spreadsheets.get, field masks. */
const SHEET_FIELDS = [
  `sheets(properties(sheetId,title,index,sheetType,gridProperties(rowCount,columnCount)),${CELLS_FIELDS})`,
  'developerMetadata(metadataId,metadataKey,metadataValue)',
].join(',');

/** The same with all that a spreadsheet is beside its cells. */
const BOOK_FIELDS = [
  'properties',
  'namedRanges',
  'developerMetadata',
  `sheets(properties,merges,conditionalFormats,filterViews,protectedRanges,basicFilter,charts,bandedRanges,developerMetadata,rowGroups,columnGroups,slicers,tables,${CELLS_FIELDS})`,
].join(',');

const TABS_FIELDS = 'sheets.properties(sheetId,title,index,sheetType,gridProperties(rowCount,columnCount))';

const BATCH_ANSWER_FIELDS =
  'spreadsheetId,updatedSpreadsheet.sheets(properties.sheetId,data(startRow,startColumn,rowData.values(effectiveValue,formattedValue)))';

export interface FetchedTab {
  readonly properties: {
    readonly sheetId: number;
    readonly title: string;
    readonly index: number;
    readonly sheetType?: string;
    readonly gridProperties?: { readonly rowCount?: number; readonly columnCount?: number };
  };
  readonly data?: readonly { readonly rowData?: readonly RowData[] }[];
}

export interface FetchedMetadata {
  readonly metadataId: number;
  readonly metadataKey: string;
  readonly metadataValue?: string;
}

export interface FetchedSpreadsheet {
  readonly sheets?: readonly FetchedTab[];
  readonly developerMetadata?: readonly FetchedMetadata[];
}

export interface BatchUpdateAnswer {
  readonly replies?: readonly unknown[];
  readonly updatedSpreadsheet?: {
    readonly sheets?: readonly {
      readonly properties: { readonly sheetId?: number };
      readonly data?: readonly {
        readonly startRow?: number;
        readonly startColumn?: number;
        readonly rowData?: readonly RowData[];
      }[];
    }[];
  };
}

export class SheetsApi {
  constructor(readonly client: UpstreamClient) {}

  /** The cells of the named tabs, or of all tabs where none is named, with the commit entries. */
  async fetchSheets(
    spreadsheetId: string,
    titles: readonly string[] | undefined,
    lane: CallLane,
  ): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    const query = new URLSearchParams({ fields: SHEET_FIELDS, prettyPrint: 'false' });
    for (const title of titles ?? []) query.append('ranges', quoteTitle(title));
    return await this.client.call({ lane, access: 'read', method: 'GET', path: `${spreadsheetPath(spreadsheetId)}?${query}` });
  }

  /** The named tabs, or all, with all that the spreadsheet is beside its cells. Formats of cells and sizes of rows are left out. */
  async fetchBook(
    spreadsheetId: string,
    titles: readonly string[] | undefined,
    lane: CallLane,
  ): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    const query = new URLSearchParams({ fields: BOOK_FIELDS, prettyPrint: 'false' });
    for (const title of titles ?? []) query.append('ranges', quoteTitle(title));
    return await this.client.call({ lane, access: 'read', method: 'GET', path: `${spreadsheetPath(spreadsheetId)}?${query}` });
  }

  /** All that a spreadsheet is beside its cells. */
  async fetchProperties(spreadsheetId: string, lane: CallLane): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    const path = `${spreadsheetPath(spreadsheetId)}?prettyPrint=false`;
    return await this.client.call({ lane, access: 'read', method: 'GET', path });
  }

  /** Which tabs exist, without their cells. */
  async fetchTabs(spreadsheetId: string, lane: CallLane): Promise<UpstreamAnswer<FetchedSpreadsheet>> {
    const query = new URLSearchParams({ fields: TABS_FIELDS, prettyPrint: 'false' });
    return await this.client.call({ lane, access: 'read', method: 'GET', path: `${spreadsheetPath(spreadsheetId)}?${query}` });
  }

  /** One atomic call; of the answer only the cells that the body asks to see afterwards. Source: spreadsheets.batchUpdate. */
  async batchUpdate(
    spreadsheetId: string,
    body: unknown,
    lane: CallLane,
    beforeSend?: () => Promise<boolean>,
    { wantsReplies = false } = {},
  ): Promise<UpstreamAnswer<BatchUpdateAnswer>> {
    const fields = wantsReplies ? `${BATCH_ANSWER_FIELDS},replies` : BATCH_ANSWER_FIELDS;
    const query = new URLSearchParams({ fields, prettyPrint: 'false' });
    const path = `${spreadsheetPath(spreadsheetId)}:batchUpdate?${query}`;
    return await this.client.call({ lane, access: 'write', method: 'POST', path, body, beforeSend });
  }

  /** One metadata entry by its id. Source: spreadsheets.developerMetadata.get. */
  async fetchMetadata(spreadsheetId: string, metadataId: number, lane: CallLane): Promise<UpstreamAnswer<FetchedMetadata>> {
    const path = `${spreadsheetPath(spreadsheetId)}/developerMetadata/${metadataId}?prettyPrint=false`;
    return await this.client.call({ lane, access: 'read', method: 'GET', path });
  }
}

function spreadsheetPath(spreadsheetId: string): string {
  return `/v4/spreadsheets/${encodeURIComponent(spreadsheetId)}`;
}

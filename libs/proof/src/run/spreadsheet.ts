/**
 * The upstream as a person and a judge see it: edits and reads that no fault meets, and the switches of the mock.
 *
 *   rows     clients append, patch and delete; a person appends and edits rows of their own, and moves rows only while nothing is
 *            under way: the service has no way to write "the row of this key", so a row that moves between a look and a write
 *            would be missed by any client of it
 *   ledger   clients only append, nobody else comes near: it keeps the order
 *   shared   clients only append; a person appends, edits, deletes, inserts and sorts at any time
 */
import { POISON, type FaultRule } from './settings';
import { expectOk } from './http';
import type { SeenRow } from '../history';

export const SPREADSHEET_ID = 'mock-spreadsheet';
export const TABS = ['rows', 'ledger', 'shared'] as const;
export type TabName = (typeof TABS)[number];
export const HEADER = ['id', 'counter', 'client', 'text'] as const;

const SHEET_IDS: Readonly<Record<TabName, number>> = { rows: 7_001, ledger: 7_002, shared: 7_003 };

type Cell = string | number | boolean;

export class Spreadsheet {
  constructor(private readonly baseUrl: string) {}

  async makeTabs(): Promise<void> {
    await this.edit(TABS.map((title) => ({ addSheet: { properties: { sheetId: SHEET_IDS[title], title } } })));
    for (const tab of TABS) await this.append(tab, [...HEADER]);
  }

  /** All rows of a tab, from the top. */
  async cells(tab: TabName): Promise<Cell[][]> {
    const url = `${this.values(`${tab}!A2:D`)}?valueRenderOption=UNFORMATTED_VALUE`;
    const { values = [] } = await this.asPerson<{ values?: Cell[][] }>('GET', url);
    return values;
  }

  async rows(tab: TabName): Promise<SeenRow[]> {
    const cells = await this.cells(tab);
    return cells.filter((row) => row.length > 0 && row[0] !== '').map((row) => [String(row[0]), Number(row[1])] as const);
  }

  async append(tab: TabName, row: readonly Cell[]): Promise<void> {
    const url = `${this.values(`${tab}!A1:D1`)}:append?valueInputOption=RAW`;
    await this.asPerson('POST', url, { values: [row] });
  }

  async setCounter(tab: TabName, index: number, counter: number): Promise<void> {
    await this.edit([
      {
        updateCells: {
          start: { sheetId: SHEET_IDS[tab], rowIndex: index, columnIndex: 1 },
          rows: [{ values: [{ userEnteredValue: { numberValue: counter } }] }],
          fields: 'userEnteredValue',
        },
      },
    ]);
  }

  async deleteRow(tab: TabName, index: number): Promise<void> {
    await this.edit([{ deleteDimension: { range: this.rowsRange(tab, index) } }]);
  }

  async insertRow(tab: TabName, index: number): Promise<void> {
    await this.edit([{ insertDimension: { range: this.rowsRange(tab, index), inheritFromBefore: index > 1 } }]);
  }

  async sort(tab: TabName, column: number, ascending: boolean): Promise<void> {
    const range = { sheetId: SHEET_IDS[tab], startRowIndex: 1, startColumnIndex: 0, endColumnIndex: HEADER.length };
    const sortSpecs = [{ dimensionIndex: column, sortOrder: ascending ? 'ASCENDING' : 'DESCENDING' }];
    await this.edit([{ sortRange: { range, sortSpecs } }]);
  }

  /** The first rule that fits a call happens; poison is refused whatever else goes on. */
  async faults(rules: readonly FaultRule[], acceptClashingMetadataIds: boolean): Promise<void> {
    const poison: FaultRule = { fault: 'refuse-text', text: POISON };
    await expectOk({
      method: 'PUT',
      url: `${this.baseUrl}/control/faults`,
      body: { acceptClashingMetadataIds, rules: [poison, ...rules] },
    });
  }

  /** How often each kind of fault has happened since the last `faults`. */
  async fired(): Promise<readonly { readonly fault: string; readonly fired: number }[]> {
    const url = `${this.baseUrl}/control/faults`;
    return (await expectOk<{ rules: { fault: string; fired: number }[] }>({ method: 'GET', url })).rules;
  }

  async callCount(): Promise<number> {
    const url = `${this.baseUrl}/control/calls?sinceMs=${Number.MAX_SAFE_INTEGER}`;
    return (await expectOk<{ count: number }>({ method: 'GET', url })).count;
  }

  private rowsRange(tab: TabName, index: number): Record<string, unknown> {
    return { sheetId: SHEET_IDS[tab], dimension: 'ROWS', startIndex: index, endIndex: index + 1 };
  }

  private values(range: string): string {
    return `/v4/spreadsheets/${SPREADSHEET_ID}/values/${encodeURIComponent(range)}`;
  }

  private async edit(requests: readonly unknown[]): Promise<void> {
    await this.asPerson('POST', `/v4/spreadsheets/${SPREADSHEET_ID}:batchUpdate`, { requests });
  }

  private async asPerson<T>(method: string, path: string, body?: unknown): Promise<T> {
    return await expectOk<T>({ method, url: this.baseUrl + path, body, headers: { 'X-Mock-Uncounted': '1' } });
  }
}

/** Tabs for tests, made as a person would make them, and what to look at in them. */
import { quoteTitle } from '@app/sheets-wire';
import { Client, type Upstream } from '../../support/client';

export type Rows = readonly (readonly unknown[])[];

/** Wider and longer than any tab of these tests. */
const EVERYTHING = 'A1:Z2000';

/** @returns the id of each tab, by its title. */
export async function addTabs(upstream: Upstream, tabs: Readonly<Record<string, Rows>>): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const [title, rows] of Object.entries(tabs)) {
    const added = await upstream.edit([{ addSheet: { properties: { title } } }]);
    ids[title] = added.body.replies[0].addSheet.properties.sheetId as number;
    if (rows.length > 0) await upstream.write(`${quoteTitle(title)}!A1:Z${rows.length}`, rows as unknown[][]);
  }
  return ids;
}

export async function cellsOf(upstream: Upstream, title: string): Promise<unknown[][]> {
  return await upstream.values(`${quoteTitle(title)}!${EVERYTHING}`);
}

export function rowsPath(title: string): string {
  return `/sheets/${encodeURIComponent(title)}/rows`;
}

/** A person at the spreadsheet, for what needs more than values: neither counted nor met by a fault. */
export function personAt(mockUrl: string): Client {
  return new Client(mockUrl, { 'X-Mock-Uncounted': '1' });
}

/** @returns the id of a new spreadsheet with one tab. */
export async function createSpreadsheet(mockUrl: string, title: string, rows: Rows): Promise<string> {
  const person = personAt(mockUrl);
  const made = await person.post('/v4/spreadsheets', { sheets: [{ properties: { title } }] });
  const id = made.body.spreadsheetId as string;
  const range = encodeURIComponent(`${quoteTitle(title)}!A1:Z${rows.length}`);
  const written = await person.put(`/v4/spreadsheets/${id}/values/${range}?valueInputOption=RAW`, { values: rows });
  if (written.status !== 200) throw new Error(`could not fill the new spreadsheet: ${JSON.stringify(written.body)}`);
  return id;
}

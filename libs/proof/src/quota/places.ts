/** The spreadsheets and tabs that the clients work on, made by a person beside the API: no place in the quota, no entry in the log. */
import { expectOk } from '../run/http';

export interface Place {
  /** Of the gateway: where its rows are. */
  readonly path: string;
}

const SPREADSHEETS = 3;
const TABS = ['stock', 'visits'] as const;
const HEADER = ['id', 'who', 'count', 'note'] as const;

/** What stands there before the clients come, so that a fetch is not a fetch of nothing. */
const ROWS = 50;

export async function makePlaces(mockUrl: string): Promise<readonly Place[]> {
  const asPerson = async <T>(method: string, path: string, body: unknown): Promise<T> =>
    await expectOk<T>({ method, url: mockUrl + path, body, headers: { 'X-Mock-Uncounted': '1' } });
  const rows = Array.from({ length: ROWS }, (_, at) => [`row-${at + 1}`, 'nobody', at, 'was here before']);
  const places: Place[] = [];
  for (let count = 0; count < SPREADSHEETS; count += 1) {
    const { spreadsheetId } = await asPerson<{ spreadsheetId: string }>('POST', '/v4/spreadsheets', {
      sheets: TABS.map((title) => ({ properties: { title } })),
    });
    for (const tab of TABS) {
      const range = encodeURIComponent(`${tab}!A1:D${ROWS + 1}`);
      await asPerson('PUT', `/v4/spreadsheets/${spreadsheetId}/values/${range}?valueInputOption=RAW`, {
        values: [HEADER, ...rows],
      });
      places.push({ path: `/spreadsheets/${spreadsheetId}/sheets/${tab}/rows` });
    }
  }
  return places;
}

import { table, text, type Command } from './command';
import type { RefreshedSnapshots } from '../operations/control/snapshot-control';

export const snapshotRefresh: Command = {
  words: 'snapshot refresh',
  summary: 'fetch a sheet, or the whole spreadsheet, by one upstream call',
  options: { sheet: { type: 'string' }, spreadsheet: { type: 'string' } },
  help: ['--sheet TITLE      only this tab', '--spreadsheet ID   another than the default one'],
  run: async ({ gateway, options, progress }) => {
    progress('fetching ...');
    const json = await gateway.post<RefreshedSnapshots>('/operations/snapshots/refresh', {
      sheet: text(options, 'sheet'),
      spreadsheetId: text(options, 'spreadsheet'),
    });
    const rows = json.sheets.map(({ sheet, rows }) => [sheet, String(rows)]);
    const lagging = json.lagging ? ['the upstream lags behind what was written: the newer snapshot stays'] : [];
    return { json, lines: [...table([['sheet', 'rows'], ...rows]), ...lagging] };
  },
};

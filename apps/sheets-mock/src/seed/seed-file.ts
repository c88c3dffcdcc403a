/** The first spreadsheet from a file: `{"title"?: string, "sheets": {"tab": [["id", "name"], [1, "Ann"]]}}`, tabs in their order. */
import { newSheet, newWorkbook, type SheetState, type WorkbookState } from '@app/workbook';
import { ConfigurationError } from '../configuration';
import { filled, type SeedValue } from './seed-workbook';
import { readText } from './read-text';

export function readSeedFile(spreadsheetId: string, file: string): WorkbookState {
  const { title = 'Seeded', sheets } = parse(readText(file, 'MOCK_SEED_FILE'), file);
  const tabs = Object.entries(sheets).map(([name, rows], index) => sheetFor(index, name, rows));
  return newWorkbook(spreadsheetId, title, tabs);
}

function parse(text: string, file: string): { title?: string; sheets: Record<string, SeedValue[][]> } {
  const expected = 'expected {"title": text, "sheets": {"tab": [[cell, ...], ...]}} with cells that are text, numbers, booleans or null'; // prettier-ignore
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`MOCK_SEED_FILE: ${file} is not JSON (${(error as Error).message}); ${expected}`);
  }
  const { title, sheets } = (found ?? {}) as { title?: unknown; sheets?: unknown };
  const isCell = (cell: unknown): boolean => cell === null || ['string', 'number', 'boolean'].includes(typeof cell);
  const isTab = (rows: unknown): boolean => Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.every(isCell));
  const isGood =
    (title === undefined || typeof title === 'string') &&
    typeof sheets === 'object' &&
    sheets !== null &&
    Object.keys(sheets).length > 0 &&
    Object.values(sheets).every(isTab);
  if (!isGood) throw new ConfigurationError(`MOCK_SEED_FILE: ${file} holds something else; ${expected}`);
  return found as never;
}

/** A grid that holds all rows, of at least the service's own first size. */
function sheetFor(sheetId: number, title: string, rows: readonly (readonly SeedValue[])[]): SheetState {
  const { rowCount, columnCount } = newSheet(sheetId, title).properties.gridProperties;
  const size = {
    rowCount: Math.max(rowCount, rows.length),
    columnCount: Math.max(columnCount, ...rows.map((row) => row.length)),
  };
  return filled(newSheet(sheetId, title, size), rows);
}

/** The spreadsheet that a fresh mock starts with. */
import { type Cell, newSheet, newWorkbook, type SheetState, type WorkbookState } from '@app/workbook';
import { CUSTOMER_HEADER, customerRows } from './customers';
import { ORDER_HEADER, orderRows } from './orders';

const CUSTOMERS_SHEET_ID = 1_201_337_042;

export function seedWorkbook(spreadsheetId: string): WorkbookState {
  return newWorkbook(spreadsheetId, 'Coffee shop', [
    filled(newSheet(0, 'orders'), [ORDER_HEADER, ...orderRows()]),
    filled(newSheet(CUSTOMERS_SHEET_ID, 'customers'), [CUSTOMER_HEADER, ...customerRows()]),
  ]);
}

export type SeedValue = string | number | boolean | null;

/** The sheet with these values, as a client would write them RAW; null is an empty cell. */
export function filled(sheet: SheetState, rows: readonly (readonly SeedValue[])[]): SheetState {
  const cell = (value: SeedValue): Cell => {
    if (value === null) return {};
    if (typeof value === 'number') return { userEnteredValue: { numberValue: value } };
    return { userEnteredValue: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value } };
  };
  return { ...sheet, rows: rows.map((row) => row.map(cell)) };
}

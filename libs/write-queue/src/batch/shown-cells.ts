import { keyText, snapshotCell, unformatted } from '@app/sheet-view';
import type { BatchUpdateAnswer } from '@app/sheets-client';

/** The cells that the answer to a batch shows, as text, as they stand once it is applied. */
export class ShownCells {
  private readonly sheets = new Map<number, Map<number, Map<number, string>>>();

  constructor(answer: BatchUpdateAnswer) {
    for (const { properties, data } of answer.updatedSpreadsheet?.sheets ?? []) {
      if (data === undefined) continue;
      const rows = new Map<number, Map<number, string>>();
      this.sheets.set(properties.sheetId ?? 0, rows);
      for (const { startRow = 0, startColumn = 0, rowData = [] } of data) {
        rowData.forEach(({ values = [] }, at) => {
          const row = rows.get(startRow + at) ?? new Map<number, string>();
          rows.set(startRow + at, row);
          values.forEach((cell, column) => row.set(startColumn + column, keyText(unformatted(snapshotCell(cell)))));
        });
      }
    }
  }

  /** False where the answer says nothing of the sheet, as that of a service that was not asked. */
  has(sheetId: number): boolean {
    return this.sheets.has(sheetId);
  }

  /** Blank cells at the end are not shown. */
  text(sheetId: number, row: number, column: number): string {
    return this.sheets.get(sheetId)?.get(row)?.get(column) ?? '';
  }

  /** The shown cells of a row, by their columns. */
  row(sheetId: number, row: number): ReadonlyMap<number, string> {
    return this.sheets.get(sheetId)?.get(row) ?? new Map();
  }

  /** Text of the column -> the lowest row that has it. */
  rowsByText(sheetId: number, column: number): ReadonlyMap<string, number> {
    const rows = [...(this.sheets.get(sheetId) ?? [])].sort(([a], [b]) => a - b);
    return new Map(rows.map(([row, cells]) => [cells.get(column) ?? '', row]));
  }
}

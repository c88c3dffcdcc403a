import { keyText, snapshotCell, unformatted } from '@app/sheet-view';
import type { BatchUpdateAnswer } from '@app/sheets-client';
import type { FrozenBatch, Reason } from '@app/write-log';

/**
 * The writes of an applied batch that hit, or may have hit, another row than the one they were meant for: between reading the sheet
 * and changing it, a person moved rows. The batch's own answer shows the keys as they stand afterwards; of a deleted row, those of
 * its neighbours.
 */
export function movedRows(batch: FrozenBatch, answer: BatchUpdateAnswer): ({ number: number } & Reason)[] {
  const shown = keysShown(answer);
  const verdicts = new Map<number, { number: number } & Reason>();
  for (const { sheetId, rowIndex, key, numbers, besideDeleted } of batch.keyChecks ?? []) {
    const found = shown.get(sheetId)?.get(rowIndex) ?? '';
    if (!shown.has(sheetId) || found === key) continue;
    const where = besideDeleted ? 'beside the row to delete' : `where the key ${JSON.stringify(key)} stood`;
    const what = besideDeleted ? `${JSON.stringify(found)} instead of ${JSON.stringify(key)}` : `${JSON.stringify(found)} now`;
    const damage = besideDeleted ? 'it may have deleted another row' : 'it changed that row';
    const message = `row ${rowIndex + 1}, ${where}, has ${what}: a person moved rows while the write was on its way, and ${damage}`;
    for (const number of numbers) if (!verdicts.has(number)) verdicts.set(number, { number, code: 'row-moved', message });
  }
  return [...verdicts.values()];
}

function keysShown(answer: BatchUpdateAnswer): ReadonlyMap<number, ReadonlyMap<number, string>> {
  const sheets = (answer.updatedSpreadsheet?.sheets ?? []).filter((sheet) => sheet.data !== undefined);
  return new Map(
    sheets.map(({ properties, data = [] }) => {
      const rows = data.flatMap(({ startRow = 0, rowData = [] }) =>
        rowData.map((row, at): [number, string] => [startRow + at, keyText(unformatted(snapshotCell(row.values?.[0] ?? {})))]),
      );
      return [properties.sheetId ?? 0, new Map(rows)];
    }),
  );
}

import { keyText, snapshotCell, unformatted } from '@app/sheet-view';
import type { BatchUpdateAnswer } from '@app/sheets-client';
import type { FrozenBatch, Reason } from '@app/write-log';

/**
 * The writes of an applied batch that landed on another row than the one they were meant for: between reading the sheet and
 * changing it, a person moved rows. The batch's own answer shows the keys as they stand afterwards.
 */
export function movedRows(batch: FrozenBatch, answer: BatchUpdateAnswer): ({ number: number } & Reason)[] {
  const shown = keysShown(answer);
  return (batch.keyChecks ?? []).flatMap(({ sheetId, rowIndex, key, numbers }) => {
    const found = shown.get(sheetId)?.get(rowIndex) ?? '';
    if (!shown.has(sheetId) || found === key) return [];
    const message = `row ${rowIndex + 1}, where the key ${JSON.stringify(key)} stood, has ${JSON.stringify(found)} now: a person moved rows while the write was on its way, and it changed that row`;
    return numbers.map((number) => ({ number, code: 'row-moved', message }));
  });
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

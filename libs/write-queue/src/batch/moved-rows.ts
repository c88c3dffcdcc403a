import type { FrozenBatch, Reason } from '@app/write-log';
import type { ShownCells } from './shown-cells';

/**
 * The writes of an applied batch that hit, or may have hit, another row than the one they were meant for: between reading the sheet
 * and changing it, a person moved rows. The batch's own answer shows the keys as they stand afterwards; of a deleted row, those of
 * its neighbours.
 */
export function movedRows(batch: FrozenBatch, shown: ShownCells): ({ number: number } & Reason)[] {
  const verdicts = new Map<number, { number: number } & Reason>();
  for (const { sheetId, rowIndex, column, key, numbers, besideDeleted } of batch.keyChecks ?? []) {
    const found = shown.text(sheetId, rowIndex, column);
    if (!shown.has(sheetId) || found === key) continue;
    const where = besideDeleted ? 'beside the row to delete' : `where the key ${JSON.stringify(key)} stood`;
    const what = besideDeleted ? `${JSON.stringify(found)} instead of ${JSON.stringify(key)}` : `${JSON.stringify(found)} now`;
    const damage = besideDeleted ? 'it may have deleted another row' : 'it changed that row';
    const message = `row ${rowIndex + 1}, ${where}, has ${what}: a person moved rows while the write was on its way, and ${damage}`;
    for (const number of numbers) if (!verdicts.has(number)) verdicts.set(number, { number, code: 'row-moved', message });
  }
  return [...verdicts.values()];
}

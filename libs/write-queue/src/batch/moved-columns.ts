import { columnName } from '@app/sheets-wire';
import type { FrozenBatch, Reason } from '@app/write-log';
import type { ShownCells } from './shown-cells';

/**
 * The writes of an applied batch that stand, or may stand, under another header than the one that they name: between the look at the
 * sheet and the batch a person moved, added, renamed or removed columns. The header row is in the batch's own answer.
 */
export function movedColumns(batch: FrozenBatch, shown: ShownCells): ({ number: number } & Reason)[] {
  const verdicts = new Map<number, { number: number } & Reason>();
  for (const { sheetId, column, name, numbers } of batch.columnChecks ?? []) {
    if (!shown.has(sheetId)) continue;
    const header = [...shown.row(sheetId, 0)].map(([at, text]): [number, string] => [at, text.trim()]);
    const found = header.find(([at]) => at === column)?.[1] ?? '';
    if (found === name) continue;
    const now = header.filter(([, text]) => text === name).map(([at]) => columnName(at));
    const where = now.length === 0 ? 'no column is called that any more' : `that is column ${now.join(' and ')} now`;
    const message =
      `column ${columnName(column)} is called ${JSON.stringify(found)} and not ${JSON.stringify(name)}, ${where}: ` +
      'a person changed the columns while the write was on its way, and it was written where the column stood before';
    for (const number of numbers) if (!verdicts.has(number)) verdicts.set(number, { number, code: 'column-moved', message });
  }
  return [...verdicts.values()].sort((a, b) => a.number - b.number);
}

import { columnName, quoteTitle } from '@app/sheets-wire';
import type { FrozenBatch, Landed, LandedUnknown, PlannedLanding } from '@app/write-log';
import type { ShownCells } from './shown-cells';

/** Ranges that a receipt lists. An array appended by one write is one range; only rows deleted from it in the same batch part it. */
const RANGES_MAX = 20;

/** Where each write of an applied batch came to lie, by what the batch's answer shows of it. */
export function landedRows(batch: FrozenBatch, shown: ShownCells): Map<number, Landed | LandedUnknown> {
  const landed = new Map<number, Landed | LandedUnknown>(batch.numbers.map((number) => [number, 'not-sent']));
  for (const landing of batch.landings ?? []) {
    const rowsOf = new Map<number, (number | undefined)[]>();
    const place = (number: number, row: number | undefined): unknown =>
      rowsOf.get(number)?.push(row) ?? rowsOf.set(number, [row]);
    const byKey = shown.rowsByText(landing.sheetId, landing.keyColumn);
    for (const { key, rowIndex, numbers } of landing.rows) {
      const there = rowIndex !== undefined && shown.text(landing.sheetId, rowIndex, landing.keyColumn) === key;
      const row = rowIndex === undefined ? byKey.get(key) : there ? rowIndex : undefined;
      for (const number of numbers) place(number, row);
    }
    for (const { index, number } of landing.deleted) place(number, index);
    // A write with a verdict against it is not among the batch's numbers any more.
    for (const [number, rows] of rowsOf) if (landed.has(number)) landed.set(number, describe(landing, rows));
  }
  return landed;
}

function describe(
  { sheetId, title, lastColumn }: PlannedLanding,
  found: readonly (number | undefined)[],
): Landed | LandedUnknown {
  const rows = found.filter((row) => row !== undefined).sort((a, b) => a - b);
  if (rows.length < found.length) return 'not-shown';
  const runs: { start: number; end: number }[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last !== undefined && row <= last.end + 1) last.end = row;
    else runs.push({ start: row, end: row });
  }
  const last = columnName(Math.max(0, lastColumn));
  const ranges = runs.map(({ start, end }) => `${quoteTitle(title)}!A${start + 1}:${last}${end + 1}`);
  return {
    sheetId,
    row: rows[0] + 1,
    range: ranges[0],
    ...(ranges.length > 1 ? { ranges: ranges.slice(0, RANGES_MAX) } : {}),
    ...(ranges.length > RANGES_MAX ? { rangesLeftOut: ranges.length - RANGES_MAX } : {}),
  };
}

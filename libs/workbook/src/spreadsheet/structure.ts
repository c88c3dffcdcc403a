/** Rows and columns that are inserted, deleted and moved, with all that is tied to them. */
import type { Dimension } from '@app/sheets-wire';
import { deletion, insertion, moveAnchors, permutation } from './anchors';
import type { SheetDraft, Transaction } from './transaction';

export interface DimensionSpan {
  readonly dimension: Dimension;
  readonly start: number;
  readonly end: number;
}

export function insertSpan(transaction: Transaction, sheet: SheetDraft, { dimension, start, end }: DimensionSpan): void {
  const count = end - start;
  transaction.options.recorder?.inserted(sheet.sheetId, dimension, start, end);
  if (dimension === 'ROWS') {
    insertHoles(sheet.rows, start, count);
    insertHoles(sheet.rowStates, start, count);
    sheet.resize({ rowCount: sheet.rowCount + count });
  } else {
    for (const [index, row] of sheet.rows.entries())
      if (row && row.length > start) insertHoles(sheet.writableRow(index), start, count);
    insertHoles(sheet.columnStates, start, count);
    sheet.resize({ columnCount: sheet.columnCount + count });
  }
  moveAnchors(transaction, sheet, dimension, insertion(start, count));
  transaction.checkCellCount();
}

export function deleteSpan(transaction: Transaction, sheet: SheetDraft, { dimension, start, end }: DimensionSpan): void {
  const count = end - start;
  if (dimension === 'ROWS') {
    sheet.rows.splice(start, count);
    sheet.rowStates.splice(start, count);
    sheet.resize({ rowCount: sheet.rowCount - count });
  } else {
    for (const [index, row] of sheet.rows.entries()) if (row && row.length > start) sheet.writableRow(index).splice(start, count);
    sheet.columnStates.splice(start, count);
    sheet.resize({ columnCount: sheet.columnCount - count });
  }
  moveAnchors(transaction, sheet, dimension, deletion(start, end));
}

/** `destination` is a position before the move. */
export function moveSpan(transaction: Transaction, sheet: SheetDraft, span: DimensionSpan, destination: number): void {
  const { dimension, start, end } = span;
  if (dimension === 'ROWS') {
    moveItems(sheet.rows, start, end, destination);
    moveItems(sheet.rowStates, start, end, destination);
  } else {
    for (const [index, row] of sheet.rows.entries()) if (row) moveItems(sheet.writableRow(index), start, end, destination);
    moveItems(sheet.columnStates, start, end, destination);
  }
  moveAnchors(
    transaction,
    sheet,
    dimension,
    permutation((index) => placeAfterMove(index, start, end, destination)),
  );
}

export function placeAfterMove(index: number, start: number, end: number, destination: number): number {
  const count = end - start;
  if (index >= start && index < end) return index - start + (destination > start ? destination - count : destination);
  if (destination >= end && index >= end && index < destination) return index - count;
  return destination <= start && index >= destination && index < start ? index + count : index;
}

function moveItems<T>(items: (T | undefined)[], start: number, end: number, destination: number): void {
  while (items.length < Math.max(end, destination)) items.push(undefined);
  const moved = items.splice(start, end - start);
  items.splice(destination > start ? destination - moved.length : destination, 0, ...moved);
}

function insertHoles<T>(items: (T | undefined)[], at: number, count: number): void {
  if (at >= items.length) return;
  items.splice(at, 0, ...new Array<undefined>(count).fill(undefined));
}

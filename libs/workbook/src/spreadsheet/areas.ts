/** Rectangles and spans of requests, read against the grid of their sheet. */
import {
  gridLimitsMessage,
  rectangleOf,
  resolveRectangle,
  type Dimension,
  type DimensionRange,
  type GridRange,
} from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import { placed } from './book-ranges';
import type { CellArea, SheetDraft, Transaction } from './transaction';
import type { DimensionSpan } from './structure';

export interface Placed {
  readonly sheet: SheetDraft;
  /** Clamped to the grid. */
  readonly area: CellArea;
}

export function areaOf(transaction: Transaction, range: GridRange | undefined): Placed {
  if (!range) throw invalid('A range must be specified.');
  const sheet = transaction.sheet(range.sheetId);
  checkIndexes(range);
  const answer = resolveRectangle(placed(sheet, 0), rectangleOf(range));
  if (!answer.ok) throw invalid(answer.message);
  const { startRow, endRow, startColumn, endColumn } = answer.range;
  return { sheet, area: { startRow, endRow, startColumn, endColumn } };
}

export function checkIndexes({ startRowIndex, endRowIndex, startColumnIndex, endColumnIndex }: GridRange): void {
  const indexes = [startRowIndex, endRowIndex, startColumnIndex, endColumnIndex];
  if (indexes.some((index) => index !== undefined && index < 0)) throw invalid('GridRange indexes must be >= 0');
  if ((endRowIndex ?? Infinity) < (startRowIndex ?? 0))
    throw invalid(`endRowIndex[${endRowIndex}] cannot be before startRowIndex[${startRowIndex}]`);
  if ((endColumnIndex ?? Infinity) < (startColumnIndex ?? 0)) {
    throw invalid(`endColumnIndex[${endColumnIndex}] cannot be before startColumnIndex[${startColumnIndex}]`);
  }
}

/** The range with its open sides filled, as the service stores it. */
export function closedRange({ sheet, area }: Placed): GridRange {
  return {
    sheetId: sheet.sheetId,
    startRowIndex: area.startRow,
    endRowIndex: area.endRow,
    startColumnIndex: area.startColumn,
    endColumnIndex: area.endColumn,
  };
}

export function lengthOf(sheet: SheetDraft, dimension: Dimension): number {
  return dimension === 'ROWS' ? sheet.rowCount : sheet.columnCount;
}

export function dimensionOf(value: string | undefined): Dimension {
  if (value !== 'ROWS' && value !== 'COLUMNS') throw invalid('No dimension specified');
  return value;
}

/** A span of existing rows or columns; open ends run to the edge. */
export function spanOf(transaction: Transaction, range: DimensionRange | undefined): { sheet: SheetDraft; span: DimensionSpan } {
  const sheet = transaction.sheet(range?.sheetId);
  const dimension = dimensionOf(range?.dimension);
  const length = lengthOf(sheet, dimension);
  const start = range?.startIndex ?? 0;
  const end = range?.endIndex ?? length;
  if (start < 0 || end < 0) throw invalid('DimensionRange indexes must be >= 0');
  if (end < start) throw invalid(`endIndex[${end}] cannot be before startIndex[${start}]`);
  if (start >= length) {
    throw invalid(
      `DimensionRange startIndex [${start}] is after the last ${dimension} index [${length - 1}] of the sheet [${sheet.sheetId}].`,
    );
  }
  return { sheet, span: { dimension, start, end: Math.min(end, length) } };
}

export function limitsRefusal(sheet: SheetDraft, area: CellArea) {
  return invalid(gridLimitsMessage(placed(sheet, 0), area));
}

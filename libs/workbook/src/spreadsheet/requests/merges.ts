/** mergeCells and unmergeCells. */
import type { GridRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { areaOf, closedRange } from '../areas';
import { isCovered } from '../cell-reader';
import type { CellArea, SheetDraft } from '../transaction';
import { withoutValue } from '../values-write';
import { NO_REPLY, type RequestHandler } from './handler';

export const mergeCells: RequestHandler<{ readonly range?: GridRange; readonly mergeType?: string }> = (
  transaction,
  { range, mergeType },
) => {
  const { sheet, area } = areaOf(transaction, range);
  checkFrozen(sheet, area);
  for (const merge of sheet.merges) {
    if (overlaps(merge, area) && !isInside(merge, area))
      throw invalid('You must select all cells in a merged range to merge or unmerge them.');
  }
  const merges = partsOf(area, mergeType).map((part) => closedRange({ sheet, area: part }));
  sheet.merges = [...sheet.merges.filter((merge) => !overlaps(merge, area)), ...merges];
  const rows = Math.min(area.endRow, sheet.rows.length);
  sheet.mapCells({ ...area, endRow: rows }, (cell, row, column) =>
    cell && isCovered(merges, row, column) ? withoutValue(cell) : cell,
  );
  return NO_REPLY;
};

export const unmergeCells: RequestHandler<{ readonly range?: GridRange }> = (transaction, { range }) => {
  const { sheet, area } = areaOf(transaction, range);
  for (const merge of sheet.merges) {
    if (overlaps(merge, area) && !isInside(merge, area))
      throw invalid('You must select all cells in a merged range to merge or unmerge them.');
  }
  sheet.merges = sheet.merges.filter((merge) => !overlaps(merge, area));
  return NO_REPLY;
};

/** One merge for the whole, or one for each row or column; a single cell is none. */
function partsOf(area: CellArea, mergeType: string | undefined): CellArea[] {
  const { startRow, endRow, startColumn, endColumn } = area;
  let parts: CellArea[] = [area];
  if (mergeType === 'MERGE_ROWS') {
    parts = Array.from({ length: endRow - startRow }, (_, offset) => ({
      ...area,
      startRow: startRow + offset,
      endRow: startRow + offset + 1,
    }));
  } else if (mergeType === 'MERGE_COLUMNS') {
    parts = Array.from({ length: endColumn - startColumn }, (_, offset) => {
      return { ...area, startColumn: startColumn + offset, endColumn: startColumn + offset + 1 };
    });
  }
  return parts.filter((part) => (part.endRow - part.startRow) * (part.endColumn - part.startColumn) > 1);
}

function checkFrozen(sheet: SheetDraft, area: CellArea): void {
  const { frozenRowCount = 0, frozenColumnCount = 0 } = sheet.properties.gridProperties;
  const crosses = (edge: number, start: number, end: number) => edge > start && edge < end;
  if (crosses(frozenColumnCount, area.startColumn, area.endColumn))
    throw invalid("You can't merge frozen and non-frozen columns");
  if (crosses(frozenRowCount, area.startRow, area.endRow)) throw invalid("You can't merge frozen and non-frozen rows");
}

function overlaps(
  { startRowIndex = 0, endRowIndex = 0, startColumnIndex = 0, endColumnIndex = 0 }: GridRange,
  area: CellArea,
): boolean {
  return (
    startRowIndex < area.endRow &&
    endRowIndex > area.startRow &&
    startColumnIndex < area.endColumn &&
    endColumnIndex > area.startColumn
  );
}

function isInside(
  { startRowIndex = 0, endRowIndex = 0, startColumnIndex = 0, endColumnIndex = 0 }: GridRange,
  area: CellArea,
): boolean {
  return (
    startRowIndex >= area.startRow &&
    endRowIndex <= area.endRow &&
    startColumnIndex >= area.startColumn &&
    endColumnIndex <= area.endColumn
  );
}

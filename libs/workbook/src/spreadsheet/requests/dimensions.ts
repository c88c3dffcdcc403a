/** Requests about rows and columns. */
import type { DimensionRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { dimensionOf, lengthOf, spanOf } from '../areas';
import { maskedUpdate, requiredMask } from '../masked-update';
import type { DimensionGroup, DimensionState } from '../state';
import { deleteSpan, insertSpan, moveSpan } from '../structure';
import type { SheetDraft } from '../transaction';
import { NO_REPLY, type RequestHandler } from './handler';
import { checkColumnCount } from './sheets';

interface Ranged {
  readonly range?: DimensionRange;
}

export const appendDimension: RequestHandler<{
  readonly sheetId?: number;
  readonly dimension?: string;
  readonly length?: number;
}> = (transaction, { sheetId, dimension: asked, length = 0 }) => {
  const sheet = transaction.sheet(sheetId);
  const dimension = dimensionOf(asked);
  if (length < 1) throw invalid('length must be > 0');
  if (dimension === 'ROWS') sheet.resize({ rowCount: sheet.rowCount + length });
  else sheet.resize({ columnCount: sheet.columnCount + length });
  checkColumnCount(sheet.columnCount);
  transaction.checkCellCount();
  return NO_REPLY;
};

export const insertDimension: RequestHandler<Ranged & { readonly inheritFromBefore?: boolean }> = (
  transaction,
  { range, inheritFromBefore },
) => {
  const sheet = transaction.sheet(range?.sheetId);
  const dimension = dimensionOf(range?.dimension);
  const { startIndex: start, endIndex: end } = range ?? {};
  if (start === undefined || end === undefined) throw invalid('DimensionRange must specify both a startIndex and an endIndex.');
  if (end <= start) throw invalid(`endIndex[${end}] must be after startIndex[${start}]`);
  const length = lengthOf(sheet, dimension);
  if (start > length || (start === length && !inheritFromBefore)) {
    throw invalid(`range.startIndex[${start}] must be less than the grid size[${length}] if inheritFromBefore is false.`);
  }
  insertSpan(transaction, sheet, { dimension, start, end });
  checkColumnCount(sheet.columnCount);
  return NO_REPLY;
};

export const deleteDimension: RequestHandler<Ranged> = (transaction, { range }) => {
  const { sheet, span } = spanOf(transaction, range);
  if (span.end - span.start >= lengthOf(sheet, span.dimension)) {
    throw invalid(`You can't delete all the ${span.dimension.toLowerCase()} on the sheet.`);
  }
  deleteSpan(transaction, sheet, span);
  return NO_REPLY;
};

export const moveDimension: RequestHandler<{ readonly source?: DimensionRange; readonly destinationIndex?: number }> = (
  transaction,
  { source, destinationIndex = 0 },
) => {
  const { sheet, span } = spanOf(transaction, source);
  if (destinationIndex > lengthOf(sheet, span.dimension))
    throw invalid(`destinationIndex[${destinationIndex}] is after the end of the sheet`);
  if (destinationIndex > span.start && destinationIndex < span.end) throw invalid('The destination is inside the source.');
  moveSpan(transaction, sheet, span, destinationIndex);
  return NO_REPLY;
};

export const updateDimensionProperties: RequestHandler<Ranged & { readonly properties?: object; readonly fields?: string }> = (
  transaction,
  { range, properties = {}, fields },
) => {
  const mask = requiredMask(fields, 'properties');
  const { sheet, span } = spanOf(transaction, range);
  changeStates(sheet, span.dimension, span.start, span.end, (state) => maskedUpdate({ ...state }, { ...properties }, mask));
  return NO_REPLY;
};

/** Pixels that a character of the default font takes, and the margin around the longest text: an estimate. */
const CHARACTER_PIXELS = 6;
const MARGIN_PIXELS = 5;
const NARROWEST_PIXELS = 21;

export const autoResizeDimensions: RequestHandler<{ readonly dimensions?: DimensionRange }> = (transaction, { dimensions }) => {
  const { sheet, span } = spanOf(transaction, dimensions);
  if (span.dimension === 'COLUMNS') {
    changeStates(sheet, 'COLUMNS', span.start, span.end, (state, column) => {
      const longest = sheet.rows.reduce(
        (most, row) => Math.max(most, row?.[column]?.userEnteredValue?.stringValue?.length ?? 0),
        0,
      );
      return longest === 0
        ? { ...state }
        : { ...state, pixelSize: Math.max(NARROWEST_PIXELS, longest * CHARACTER_PIXELS + MARGIN_PIXELS) };
    });
  }
  return NO_REPLY;
};

export const addDimensionGroup: RequestHandler<Ranged> = (transaction, { range }) => {
  const { sheet, span } = spanOf(transaction, range);
  const isRows = span.dimension === 'ROWS';
  const groups = isRows ? sheet.rowGroups : sheet.columnGroups;
  const around = groups.filter((group) => group.range.startIndex <= span.start && group.range.endIndex >= span.end);
  const group: DimensionGroup = {
    range: { dimension: span.dimension, startIndex: span.start, endIndex: span.end },
    depth: around.length + 1,
  };
  const all = [...groups, group].sort((a, b) => a.depth - b.depth || a.range.startIndex - b.range.startIndex);
  setGroups(sheet, isRows, all);
  const control = isRows ? 'rowGroupControlAfter' : 'columnGroupControlAfter';
  sheet.properties = { ...sheet.properties, gridProperties: { ...sheet.properties.gridProperties, [control]: true } };
  return { addDimensionGroup: { dimensionGroups: all.map((one) => withSheet(one, sheet)) } };
};

export const deleteDimensionGroup: RequestHandler<Ranged> = (transaction, { range }) => {
  const { sheet, span } = spanOf(transaction, range);
  const isRows = span.dimension === 'ROWS';
  const groups = isRows ? sheet.rowGroups : sheet.columnGroups;
  const deepest = groups.findLast((group) => group.range.startIndex < span.end && group.range.endIndex > span.start);
  if (!deepest) throw invalid('There is no group to remove in this range.');
  const left = groups.filter((group) => group !== deepest);
  setGroups(sheet, isRows, left);
  return { deleteDimensionGroup: left.length > 0 ? { dimensionGroups: left.map((one) => withSheet(one, sheet)) } : {} };
};

function setGroups(sheet: SheetDraft, isRows: boolean, groups: readonly DimensionGroup[]): void {
  if (isRows) sheet.rowGroups = groups;
  else sheet.columnGroups = groups;
}

function withSheet(group: DimensionGroup, sheet: SheetDraft): unknown {
  return { ...group, range: { ...(sheet.sheetId === 0 ? {} : { sheetId: sheet.sheetId }), ...group.range } };
}

function changeStates(
  sheet: SheetDraft,
  dimension: string,
  start: number,
  end: number,
  change: (state: DimensionState | undefined, index: number) => DimensionState,
): void {
  const states = dimension === 'ROWS' ? sheet.rowStates : sheet.columnStates;
  while (states.length < end) states.push(undefined);
  for (let index = start; index < end; index += 1) states[index] = change(states[index], index);
}

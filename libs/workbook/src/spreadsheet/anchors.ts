/** What happens to everything that is tied to rows or columns when rows or columns come, go or move. */
import type { Dimension, GridRange } from '@app/sheets-wire';
import type { DimensionGroup, StoredMetadata } from './state';
import type { SheetDraft, Transaction } from './transaction';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a span is after the edit; undefined when it is gone. */
export type SpanEdit = (span: Span) => Span | undefined;

export function insertion(at: number, count: number): SpanEdit {
  return ({ start, end }) => ({ start: start >= at ? start + count : start, end: end > at ? end + count : end });
}

export function deletion(from: number, to: number): SpanEdit {
  const shift = (index: number) => (index <= from ? index : Math.max(from, index - (to - from)));
  return ({ start, end }) => {
    const moved = { start: shift(start), end: shift(end) };
    return moved.end > moved.start ? moved : undefined;
  };
}

/** Rows that change places: only what is tied to a single one of them can follow. */
export function permutation(newPlace: (index: number) => number): SpanEdit {
  return (span) => {
    if (span.end - span.start !== 1) return span;
    const start = newPlace(span.start);
    return { start, end: start + 1 };
  };
}

export function moveAnchors(transaction: Transaction, sheet: SheetDraft, dimension: Dimension, edit: SpanEdit): void {
  const { sheetId } = sheet;
  const onSheet = (range: GridRange) => (range.sheetId ?? 0) === sheetId;
  const moved = (range: GridRange) => moveRange(range, dimension, edit);
  sheet.merges = sheet.merges.flatMap((merge) => moved(merge) ?? []);
  sheet.protectedRanges = sheet.protectedRanges.flatMap((one) => {
    const range = one.range && moved(one.range);
    return one.range && !range ? [] : { ...one, ...(range ? { range } : {}) };
  });
  if (sheet.basicFilter?.range) {
    const range = moved(sheet.basicFilter.range);
    sheet.basicFilter = range && { ...sheet.basicFilter, range };
  }
  if (dimension === 'ROWS') sheet.rowGroups = moveGroups(sheet.rowGroups, edit);
  else sheet.columnGroups = moveGroups(sheet.columnGroups, edit);
  transaction.namedRanges = transaction.namedRanges.flatMap((named) => {
    if (!onSheet(named.range)) return named;
    const range = moved(named.range);
    return range ? { ...named, range } : [];
  });
  transaction.metadata = transaction.metadata.flatMap((entry) => moveMetadata(entry, sheetId, dimension, edit) ?? []);
}

function moveRange(range: GridRange, dimension: Dimension, edit: SpanEdit): GridRange | undefined {
  const [from, to] =
    dimension === 'ROWS'
      ? ([range.startRowIndex, range.endRowIndex] as const)
      : ([range.startColumnIndex, range.endColumnIndex] as const);
  if (from === undefined || to === undefined) return range;
  const span = edit({ start: from, end: to });
  if (!span) return undefined;
  if (dimension === 'ROWS') return { ...range, startRowIndex: span.start, endRowIndex: span.end };
  return { ...range, startColumnIndex: span.start, endColumnIndex: span.end };
}

function moveGroups(groups: readonly DimensionGroup[], edit: SpanEdit): DimensionGroup[] {
  return groups.flatMap((group) => {
    const span = edit({ start: group.range.startIndex, end: group.range.endIndex });
    return span ? { ...group, range: { ...group.range, startIndex: span.start, endIndex: span.end } } : [];
  });
}

function moveMetadata(entry: StoredMetadata, sheetId: number, dimension: Dimension, edit: SpanEdit): StoredMetadata | undefined {
  const range = entry.location.dimensionRange;
  if (!range || (range.sheetId ?? 0) !== sheetId || range.dimension !== dimension) return entry;
  const span = edit({ start: range.startIndex ?? 0, end: range.endIndex ?? 0 });
  if (!span) return undefined;
  return { ...entry, location: { ...entry.location, dimensionRange: { ...range, startIndex: span.start, endIndex: span.end } } };
}

/**
 * Ranges as the service reads and writes them: `Orders!A1:C`, `'It''s'!B2`, `Orders`, `TotalsByMonth`.
 *
 * Reading goes by rules that were measured on the service: nothing is trimmed; the last `!` ends the title; without a `!` a
 * word is a cell, then a named range, then a tab. A range may end outside the grid (it is clamped) but not begin there.
 */
import { columnName } from './columns';
import { parseReference, type Rectangle } from './reference';
import { echoTitle, unquoteTitle } from './titles';
import type { GridRange } from './spreadsheet-shapes';

export interface RangeSheet {
  readonly sheetId: number;
  readonly title: string;
  readonly rowCount: number;
  readonly columnCount: number;
}

export interface RangeWorkbook<S extends RangeSheet = RangeSheet> {
  /** In the order of the tabs: a range without a title means the first. */
  readonly sheets: readonly S[];
  readonly namedRanges?: readonly { readonly name: string; readonly range: GridRange }[];
}

/** Where a range lies, zero-based and half-open. */
export interface ResolvedRange<S extends RangeSheet = RangeSheet> {
  readonly sheet: S;
  /** As asked for; open sides stay undefined. */
  readonly asked: Rectangle;
  /** Clamped to the grid, open sides filled. */
  readonly startRow: number;
  readonly endRow: number;
  readonly startColumn: number;
  readonly endColumn: number;
}

export type RangeAnswer<S extends RangeSheet = RangeSheet> =
  { readonly ok: true; readonly range: ResolvedRange<S> } | { readonly ok: false; readonly message: string };

export function parseRange<S extends RangeSheet>(text: string, workbook: RangeWorkbook<S>): RangeAnswer<S> {
  const found = locate(text, workbook);
  return found ? resolveRectangle(found.sheet, found.rectangle) : { ok: false, message: `Unable to parse range: ${text}` };
}

/** A rectangle on its sheet, clamped; a message where it begins outside. */
export function resolveRectangle<S extends RangeSheet>(sheet: S, asked: Rectangle): RangeAnswer<S> {
  const { startRow = 0, endRow = sheet.rowCount, startColumn = 0, endColumn = sheet.columnCount } = asked;
  if (startRow >= sheet.rowCount || startColumn >= sheet.columnCount)
    return { ok: false, message: gridLimitsMessage(sheet, asked) };
  return {
    ok: true,
    range: {
      sheet,
      asked,
      startRow,
      endRow: Math.min(endRow, sheet.rowCount),
      startColumn,
      endColumn: Math.min(endColumn, sheet.columnCount),
    },
  };
}

export function gridLimitsMessage(sheet: RangeSheet, asked: Rectangle): string {
  const place = `${echoTitle(sheet.title)}!${formatOpen(asked)}`;
  const empty = isEmptyAxis(asked.startRow, asked.endRow) || isEmptyAxis(asked.startColumn, asked.endColumn);
  return `Range (${empty ? '(empty) ' : ''}${place}) exceeds grid limits. Max rows: ${sheet.rowCount}, max columns: ${sheet.columnCount}`;
}

/** The echo of an answer: the title, quoted where the service quotes it, and the rectangle; one cell stands alone. */
export function formatRange(title: string, range: Required<Rectangle>): string {
  const first = `${columnName(range.startColumn)}${range.startRow + 1}`;
  const last = `${columnName(range.endColumn - 1)}${range.endRow}`;
  return `${echoTitle(title)}!${first === last ? first : `${first}:${last}`}`;
}

export function rectangleOf(range: GridRange): Rectangle {
  return {
    startRow: range.startRowIndex,
    endRow: range.endRowIndex,
    startColumn: range.startColumnIndex,
    endColumn: range.endColumnIndex,
  };
}

interface Located<S extends RangeSheet> {
  readonly sheet: S;
  readonly rectangle: Rectangle;
}

function locate<S extends RangeSheet>(text: string, workbook: RangeWorkbook<S>): Located<S> | undefined {
  const bang = text.lastIndexOf('!');
  const inSheet = bang < 0 ? undefined : locateInSheet(text.slice(0, bang), text.slice(bang + 1), workbook);
  if (inSheet) return inSheet;
  const { title, quoted } = unquoteTitle(text);
  if (bang < 0 && !quoted) {
    const [first] = workbook.sheets;
    const reference = parseReference(text);
    if (reference) return first && { sheet: first, rectangle: reference };
    const named = locateNamed(text, workbook);
    if (named) return named;
  }
  const sheet = title === '' ? undefined : sheetTitled(title, workbook);
  return sheet && { sheet, rectangle: {} };
}

function locateInSheet<S extends RangeSheet>(left: string, right: string, workbook: RangeWorkbook<S>): Located<S> | undefined {
  const { title } = unquoteTitle(left);
  const sheet = title === '' ? workbook.sheets[0] : sheetTitled(title, workbook);
  if (!sheet) return undefined;
  const rectangle = parseReference(right);
  return rectangle ? { sheet, rectangle } : locateNamed(right, workbook);
}

function locateNamed<S extends RangeSheet>(name: string, workbook: RangeWorkbook<S>): Located<S> | undefined {
  const named = workbook.namedRanges?.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  const sheet = named && workbook.sheets.find((candidate) => candidate.sheetId === (named.range.sheetId ?? 0));
  return sheet && { sheet, rectangle: rectangleOf(named.range) };
}

function sheetTitled<S extends RangeSheet>(title: string, workbook: RangeWorkbook<S>): S | undefined {
  const exact = workbook.sheets.find((sheet) => sheet.title === title);
  return exact ?? workbook.sheets.find((sheet) => sheet.title.toLowerCase() === title.toLowerCase());
}

/** How the grid-limits message writes a rectangle: open sides stay open. */
function formatOpen({ startRow, endRow, startColumn, endColumn }: Rectangle): string {
  const first = `${startColumn === undefined ? '' : columnName(startColumn)}${startRow === undefined ? '' : startRow + 1}`;
  const last = `${endColumn === undefined ? '' : columnName(endColumn - 1)}${endRow ?? ''}`;
  return first === last ? first : `${first}:${last}`;
}

function isEmptyAxis(start: number | undefined, end: number | undefined): boolean {
  return start !== undefined && end !== undefined && start >= end;
}

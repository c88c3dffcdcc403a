/**
 * Cell and range references in A1 and R1C1 notation, without a tab's title.
 *
 * An endpoint names a row, a column or both. Two endpoints span a rectangle: on an axis that both name, from the lesser to
 * the greater; that one names, from there to the edge; that none names, the whole of it. R1C1 is tried only where A1 does
 * not fit, and the two never mix.
 */
import { columnIndex } from './columns';

/** Zero-based and half-open; an undefined side runs to the edge of the grid. */
export interface Rectangle {
  readonly startRow?: number;
  readonly endRow?: number;
  readonly startColumn?: number;
  readonly endColumn?: number;
}

interface Endpoint {
  readonly row?: number;
  readonly column?: number;
}

const A1_ENDPOINT = /^([A-Za-z]{1,3})?(\d+)?$/;
const R1C1_ENDPOINT = /^(?:R(\d+|\[\d+\])?)?(?:C(\d+|\[\d+\])?)?$/i;

export function parseReference(text: string): Rectangle | undefined {
  const tokens = text.split(':');
  if (tokens.length === 1) return single(text);
  if (tokens.length !== 2) return undefined;
  const [first, second] = tokens as [string, string];
  const a1 = [parseA1(first), parseA1(second)] as const;
  if (a1[0] && a1[1]) return span(a1[0], a1[1]);
  const r1c1 = [parseR1C1(first), parseR1C1(second)] as const;
  if (!r1c1[0] || !r1c1[1] || isRefusedReversal(r1c1[0], r1c1[1])) return undefined;
  return span(r1c1[0], r1c1[1]);
}

/** Whether a bare word is read as a cell, so that a tab of that name has to be quoted. */
export function isReference(word: string): boolean {
  return parseReference(word) !== undefined;
}

function single(text: string): Rectangle | undefined {
  const cell = parseA1(text);
  // A lone column or row is no range in A1 notation, but `R[1]` and `C[1]` are in R1C1.
  if (cell?.row !== undefined && cell.column !== undefined) return span(cell, cell);
  if (/^[rc]$/i.test(text)) return span({ row: 0, column: 0 }, { row: 0, column: 0 });
  const endpoint = parseR1C1(text);
  return endpoint && span(endpoint, endpoint);
}

function parseA1(token: string): Endpoint | undefined {
  const match = A1_ENDPOINT.exec(token);
  if (!match || token === '') return undefined;
  const [, letters, digits] = match;
  const row = digits === undefined ? undefined : Number(digits) - 1;
  if (row !== undefined && row < 0) return undefined;
  return { row, column: letters === undefined ? undefined : columnIndex(letters) };
}

function parseR1C1(token: string): Endpoint | undefined {
  const match = R1C1_ENDPOINT.exec(token);
  if (!match || token === '') return undefined;
  const row = /r/i.test(token) ? offsetOf(match[1]) : undefined;
  const column = /c/i.test(token) ? offsetOf(match[2]) : undefined;
  return (row ?? 0) < 0 || (column ?? 0) < 0 ? undefined : { row, column };
}

/** `3` counts from 1, `[3]` is an offset from A1, nothing is an offset of 0. */
function offsetOf(part: string | undefined): number {
  if (part === undefined) return 0;
  return part.startsWith('[') ? Number(part.slice(1, -1)) : Number(part) - 1;
}

/** The service's own quirk: two R1C1 endpoints of one kind in reverse order by exactly one are refused, by more are swapped. */
function isRefusedReversal(first: Endpoint, second: Endpoint): boolean {
  const byOne = (from?: number, to?: number) => from !== undefined && to !== undefined && from - to === 1;
  return byOne(first.row, second.row) || byOne(first.column, second.column);
}

function span(first: Endpoint, second: Endpoint): Rectangle {
  const [startRow, endRow] = axis(first.row, second.row);
  const [startColumn, endColumn] = axis(first.column, second.column);
  return { startRow, endRow, startColumn, endColumn };
}

function axis(first: number | undefined, second: number | undefined): [number | undefined, number | undefined] {
  if (first === undefined || second === undefined) return [first ?? second, undefined];
  return [Math.min(first, second), Math.max(first, second) + 1];
}

/**
 * The columns of a sheet by the names in its first row.
 *
 * The rule for names: surrounding white space does not count. A name that stands once is the column's name. Columns that share
 * a name, and blank ones between named ones, are shown in reads by their place and name (`C:name`, `D:`), and cannot be written
 * by name, because nobody can say which is meant.
 */
import { columnName } from '@app/sheets-wire';
import type { CellScalar } from '@app/write-log';
import { unformatted, type SnapshotCell } from './snapshot';

export interface Columns {
  /** What each column is called in a row object, from the sheet's first column on. */
  readonly labels: readonly string[];
  /** Unambiguous name -> index of the column, from 0. */
  readonly byName: ReadonlyMap<string, number>;
  /** Name -> letters of the columns that share it. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

export function columnsOf(header: readonly SnapshotCell[] | undefined): Columns {
  const names = (header ?? []).map((cell) => String(unformatted(cell)).trim());
  while (names.length > 0 && names[names.length - 1] === '') names.pop();
  const places = new Map<string, number[]>();
  names.forEach((name, index) => places.set(name, [...(places.get(name) ?? []), index]));

  const byName = new Map<string, number>();
  const ambiguous = new Map<string, readonly string[]>();
  for (const [name, indexes] of places) {
    if (name !== '' && indexes.length === 1) byName.set(name, indexes[0]);
    else if (name !== '') ambiguous.set(name, indexes.map(columnName));
  }
  return { labels: names.map((name, index) => (byName.has(name) ? name : `${columnName(index)}:${name}`)), byName, ambiguous };
}

/** How a key cell is compared with a key from a URL or a body: by its text. */
export function keyText(value: CellScalar | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

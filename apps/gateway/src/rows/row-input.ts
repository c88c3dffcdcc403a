/** What a client may write. Every refusal names the place in the body, what was found there and what is expected. */
import { randomUUID } from 'node:crypto';
import { badInput, CodedError } from '@app/platform';
import { keyText, type SheetView } from '@app/sheet-view';
import type { AppendedRow, CellScalar, RowValues, RowsOperation } from '@app/write-log';

/** Rows of one request. More belong into several requests, each with its own receipt. */
export const ROWS_PER_REQUEST_MAX = 500;

/** Characters of one cell. Source: "Usage limits" of the Sheets API. */
const CELL_CHARACTERS_MAX = 50_000;

/** A key stands in URLs and in Redis: longer ones are no keys. */
const KEY_CHARACTERS_MAX = 512;

export function readAppend(body: unknown, view: SheetView, keyColumnName: string): RowsOperation {
  const list = Array.isArray(body) ? (body as unknown[]) : [body];
  if (Array.isArray(body) && body.length === 0)
    throw badInput('empty-body', 'body', 'body: found an empty array, expected at least one row');
  if (list.length > ROWS_PER_REQUEST_MAX) {
    throw badInput('too-many-rows', 'body', `body: found ${list.length} rows, expected at most ${ROWS_PER_REQUEST_MAX}`, 413);
  }
  const keyColumn = keyColumnOf(view, keyColumnName);
  const seen = new Map<string, number>();
  const rows = list.map((item, index): AppendedRow => {
    const at = Array.isArray(body) ? `/${index}` : '';
    const values = readValues(item, at, view);
    const given = values[keyColumn] ?? '';
    const key = given === '' ? randomUUID() : readKey(given, `${at}/${keyColumn}`);
    const earlier = seen.get(key);
    if (earlier !== undefined || view.row(key) !== undefined) throw keyTaken(`${at}/${keyColumn}`, key, earlier);
    seen.set(key, index);
    return { key, values: { ...values, [keyColumn]: given === '' ? key : given } };
  });
  return { kind: 'append', rows };
}

export function readPatch(body: unknown, key: string, view: SheetView, keyColumnName: string): RowsOperation {
  const keyColumn = keyColumnOf(view, keyColumnName);
  const { [keyColumn]: given, ...set } = readValues(body, '', view);
  if (given !== undefined && keyText(given) !== key) {
    throw badInput(
      'key-immutable',
      `/${keyColumn}`,
      `/${keyColumn}: found ${JSON.stringify(given)}, expected ${JSON.stringify(key)} or nothing: the key of a row does not change`,
      422,
    );
  }
  if (Object.keys(set).length === 0)
    throw badInput('empty-body', 'body', 'body: found no column to change, expected at least one');
  return { kind: 'patch', key, set };
}

/** The key column's name, once it is certain that the sheet has exactly one of that name. */
export function keyColumnOf(view: SheetView, keyColumnName: string): string {
  const conflict = (code: string, message: string): CodedError => new CodedError({ code, status: 409, field: 'sheet', message });
  if (!view.hasHeader) throw conflict('no-header', 'sheet: its first row is empty, expected the names of the columns there');
  if (view.keyColumn !== undefined) return keyColumnName;
  const places = view.columns.ambiguous.get(keyColumnName);
  if (places !== undefined)
    throw conflict(
      'ambiguous-column',
      `sheet: the columns ${places.join(' and ')} are both called ${JSON.stringify(keyColumnName)}, expected one key column`,
    );
  throw conflict(
    'no-key-column',
    `sheet: found the columns ${columnNames(view)}, expected one called ${JSON.stringify(keyColumnName)} as the key`,
  );
}

function readValues(item: unknown, at: string, view: SheetView): RowValues {
  const place = at === '' ? 'body' : at;
  if (item === null || typeof item !== 'object' || Array.isArray(item)) {
    throw badInput('wrong-type', place, `${place}: found ${describe(item)}, expected an object of column names and values`);
  }
  // Without a prototype: a column may be called `__proto__` or `constructor`, and is a column like any other.
  const values = Object.create(null) as Record<string, CellScalar | null>;
  for (const [given, value] of Object.entries(item)) {
    const name = given.trim();
    const field = `${at}/${escapePointer(given)}`;
    if (!view.columns.byName.has(name)) throw columnError(view, name, field);
    if (Object.hasOwn(values, name))
      throw badInput('duplicate-column', field, `${field}: found the column twice, expected it once`, 422);
    values[name] = readCell(value, field);
  }
  if (Object.keys(values).length === 0) throw badInput('empty-body', place, `${place}: found no column, expected at least one`);
  return values;
}

function readCell(value: unknown, field: string): CellScalar | null {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string')
    throw badInput('wrong-type', field, `${field}: found ${describe(value)}, expected a string, a number, a boolean or null`);
  if (value.length > CELL_CHARACTERS_MAX) {
    throw badInput(
      'cell-too-long',
      field,
      `${field}: found ${value.length} characters, expected at most ${CELL_CHARACTERS_MAX} in a cell`,
      422,
    );
  }
  return value;
}

function readKey(given: CellScalar, field: string): string {
  const key = keyText(given);
  if (key.length > KEY_CHARACTERS_MAX) {
    throw badInput(
      'key-too-long',
      field,
      `${field}: found a key of ${key.length} characters, expected at most ${KEY_CHARACTERS_MAX}`,
      422,
    );
  }
  return key;
}

export function keyTaken(field: string, key: string, earlier?: number): CodedError {
  const where = earlier === undefined ? 'that a row has already' : `that /${earlier} has already`;
  return badInput('duplicate-key', field, `${field}: found the key ${JSON.stringify(key)} ${where}, expected a new one`, 409);
}

function columnError(view: SheetView, name: string, field: string): CodedError {
  const places = view.columns.ambiguous.get(name);
  if (places !== undefined) {
    return badInput(
      'ambiguous-column',
      field,
      `${field}: the columns ${places.join(' and ')} are all called ${JSON.stringify(name)}, expected a name that stands once`,
      409,
    );
  }
  return badInput('unknown-column', field, `${field}: found no column of that name, expected one of ${columnNames(view)}`, 422);
}

function columnNames(view: SheetView): string {
  return [...view.columns.byName.keys()].map((name) => JSON.stringify(name)).join(', ');
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' ? 'a number that is not finite' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** Source: RFC 6901. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

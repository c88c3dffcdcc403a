/**
 * An edit that is carried out here first and by the service later: what it changes, as requests of `spreadsheets.batchUpdate` that
 * name absolute cells. Rows and columns that are put in come before the cells, in the order in which that happened.
 */
import type { BatchUpdateRequest, CellData } from '@app/sheets-wire';
import type { Cell, SheetState, WorkbookState } from './state';
import { Transaction, type CellArea, type EditRecorder } from './transaction';

/** Cells that an edit gave values to, as a rectangle. */
export interface WrittenArea extends CellArea {
  readonly sheetId: number;
}

export interface RecordedEdit<T> {
  readonly result: T;
  readonly after: WorkbookState;
  /** By sheet, in the order in which the sheets were touched. */
  readonly requests: ReadonlyMap<number, readonly BatchUpdateRequest[]>;
  readonly areas: ReadonlyMap<number, WrittenArea>;
}

export function recordEdit<T>(before: WorkbookState, change: (transaction: Transaction) => T): RecordedEdit<T> {
  const recording = new Recording();
  const transaction = new Transaction(before, { acceptClashingMetadataIds: false, random: Math.random, recorder: recording });
  const result = change(transaction);
  const after = transaction.commit();
  return { result, after, requests: recording.requests(after), areas: recording.areas() };
}

type TouchedRow = Map<number, Cell | undefined>;

class Recording implements EditRecorder {
  private readonly insertions: { readonly sheetId: number; readonly request: BatchUpdateRequest }[] = [];
  /** Sheet -> row -> column -> the cell before. */
  private readonly touched = new Map<number, Map<number, TouchedRow>>();

  cell(sheetId: number, row: number, column: number, before: Cell | undefined): void {
    const rows = this.touched.get(sheetId) ?? new Map<number, TouchedRow>();
    this.touched.set(sheetId, rows);
    const columns = rows.get(row) ?? new Map<number, Cell | undefined>();
    rows.set(row, columns);
    if (!columns.has(column)) columns.set(column, before);
  }

  inserted(sheetId: number, dimension: 'ROWS' | 'COLUMNS', startIndex: number, endIndex: number): void {
    const range = { sheetId, dimension, startIndex, endIndex };
    this.insertions.push({
      sheetId,
      request: { insertDimension: { range, inheritFromBefore: startIndex > 0 } },
    });
  }

  requests(after: WorkbookState): ReadonlyMap<number, readonly BatchUpdateRequest[]> {
    const requests = new Map<number, BatchUpdateRequest[]>();
    const add = (sheetId: number, more: readonly BatchUpdateRequest[]): void => {
      requests.set(sheetId, [...(requests.get(sheetId) ?? []), ...more]);
    };
    for (const { sheetId, request } of this.insertions) add(sheetId, [request]);
    for (const [sheetId, rows] of this.touched) {
      const sheet = after.sheets.find(({ properties }) => properties.sheetId === sheetId);
      if (sheet !== undefined) add(sheetId, cellRequests(sheet, rows));
    }
    return requests;
  }

  areas(): ReadonlyMap<number, WrittenArea> {
    const areas = [...this.touched].map(([sheetId, rows]): [number, WrittenArea] => {
      const columns = [...rows.values()].flatMap((touched) => [...touched.keys()]);
      const lines = [...rows.keys()];
      const [startRow, endRow] = [Math.min(...lines), Math.max(...lines) + 1];
      return [sheetId, { sheetId, startRow, endRow, startColumn: Math.min(...columns), endColumn: Math.max(...columns) + 1 }];
    });
    return new Map(areas);
  }
}

interface Run {
  readonly startRow: number;
  readonly startColumn: number;
  readonly fields: string;
  readonly rows: CellData[][];
}

/** One request for each run of neighbouring cells of a row, or for equal runs below each other. */
function cellRequests(sheet: SheetState, rows: ReadonlyMap<number, TouchedRow>): BatchUpdateRequest[] {
  const runs: Run[] = [];
  for (const [row, columns] of [...rows].sort(([a], [b]) => a - b)) {
    for (const run of runsOf(sheet, row, columns)) {
      const above = runs.findLast((one) => one.startRow + one.rows.length === row && isSameShape(one, run));
      if (above !== undefined) above.rows.push(...run.rows);
      else runs.push(run);
    }
  }
  const { sheetId } = sheet.properties;
  return runs.map(({ startRow, startColumn, fields, rows: lines }) => ({
    updateCells: {
      start: { sheetId, rowIndex: startRow, columnIndex: startColumn },
      rows: lines.map((values) => ({ values })),
      fields,
    },
  }));
}

function runsOf(sheet: SheetState, row: number, columns: TouchedRow): Run[] {
  const runs: Run[] = [];
  for (const [column, before] of [...columns].sort(([a], [b]) => a - b)) {
    const after = sheet.rows[row]?.[column];
    const { userEnteredValue } = after ?? {};
    const numberFormat = after?.userEnteredFormat?.numberFormat;
    const isReformatted = JSON.stringify(numberFormat) !== JSON.stringify(before?.userEnteredFormat?.numberFormat);
    const fields = isReformatted ? 'userEnteredValue,userEnteredFormat.numberFormat' : 'userEnteredValue';
    const cell: CellData = {
      ...(userEnteredValue === undefined ? {} : { userEnteredValue }),
      ...(isReformatted && numberFormat !== undefined ? { userEnteredFormat: { numberFormat } } : {}),
    };
    const last = runs.at(-1);
    if (last !== undefined && last.fields === fields && last.startColumn + last.rows[0].length === column)
      last.rows[0].push(cell);
    else runs.push({ startRow: row, startColumn: column, fields, rows: [[cell]] });
  }
  return runs;
}

function isSameShape(a: Run, b: Run): boolean {
  return a.startColumn === b.startColumn && a.fields === b.fields && a.rows[0].length === b.rows[0].length;
}

/**
 * What consecutive writes make of one sheet, as requests of one `spreadsheets.batchUpdate`.
 *
 * The grid is the sheet as the upstream has it now, so names, keys and positions are resolved here and nowhere else. The last
 * value of a cell wins; a row that is appended and deleted again never reaches the upstream. Order of the requests: changes of
 * rows that are there, appended rows, deletions from the bottom up; so no request moves what a later one points at.
 *
 * Sources: UpdateCellsRequest, AppendCellsRequest, InsertDimensionRequest, DeleteDimensionRequest.
 */
import { columnsOf, keyText, unformatted, type Columns, type SnapshotContent } from '@app/sheet-view';
import { columnName, quoteTitle } from '@app/sheets-wire';
import type { CellScalar, ColumnCheck, KeyCheck, RowsWrite, PlannedLanding, Reason, RowValues } from '@app/write-log';

/** A sheet as the upstream has it. Where only its header is known, `appendedRows` says between which rows appended ones will come to lie. */
export interface PlannedGrid extends SnapshotContent {
  readonly appendedRows?: { readonly first: number; readonly last: number };
}

/** Rows around the place where appended ones should be that the answer shows too: a person may have added or deleted some. */
const LANDING_SLACK_ROWS = 100;

export interface PlannedRequest {
  readonly request: unknown;
  /** The log numbers that it carries out: an error that names the request names them. */
  readonly numbers: readonly number[];
}

/** A value and the write that it comes from: a refusal of the value is a verdict on that write and no other. */
interface PlannedCell {
  readonly value: CellScalar;
  readonly number: number;
}

interface GridRow {
  readonly kind: 'grid';
  readonly index: number;
  readonly cells: Map<number, PlannedCell>;
  /** Every write that concerns the row. */
  readonly writers: Set<number>;
}

interface NewRow {
  readonly kind: 'new';
  readonly key: string;
  readonly appendedBy: number;
  readonly cells: Map<number, PlannedCell>;
  readonly writers: Set<number>;
}

export class SheetPlan {
  private readonly columns: Columns;
  private readonly keyColumn: number | undefined;
  private readonly rows = new Map<string, GridRow | NewRow>();
  private readonly duplicated = new Set<string>();
  private readonly deleted: { index: number; number: number }[] = [];
  private newRows: NewRow[] = [];
  private lastKeyedIndex = 0;
  private readonly lastDataIndex: number;

  constructor(
    private readonly grid: PlannedGrid,
    private readonly keyColumnName: string,
  ) {
    this.columns = columnsOf(grid.cells[0]);
    this.keyColumn = this.columns.byName.get(keyColumnName);
    this.lastDataIndex = Math.max(0, grid.cells.length - 1);
    if (this.keyColumn === undefined) return;
    for (let index = 1; index < grid.cells.length; index += 1) {
      const key = keyText(unformatted(grid.cells[index][this.keyColumn]));
      if (key === '') continue;
      if (this.rows.has(key)) this.duplicated.add(key);
      else this.rows.set(key, { kind: 'grid', index, cells: new Map(), writers: new Set() });
      this.lastKeyedIndex = index;
    }
  }

  /** Adds a write. @returns why it cannot be carried out, or undefined. A write is added whole or not at all. */
  add({ number, operation }: RowsWrite): Reason | undefined {
    if (this.keyColumn === undefined)
      return { code: 'key-column-gone', message: `the sheet has no column ${JSON.stringify(this.keyColumnName)} any more` };
    if (operation.kind === 'append') {
      for (const row of operation.rows) {
        const problem = this.columnProblem(row.values);
        if (problem !== undefined) return problem;
        if (this.rows.has(row.key))
          return { code: 'key-taken', message: `a row with the key ${JSON.stringify(row.key)} is there already` };
      }
      for (const row of operation.rows) {
        const made: NewRow = {
          kind: 'new',
          key: row.key,
          appendedBy: number,
          cells: new Map(),
          writers: new Set([number]),
        };
        this.setCells(made, row.values, number);
        this.rows.set(row.key, made);
        this.newRows.push(made);
      }
      return undefined;
    }
    const row = this.rows.get(operation.key);
    if (row === undefined)
      return { code: 'row-gone', message: `there is no row with the key ${JSON.stringify(operation.key)} any more` };
    if (this.duplicated.has(operation.key))
      return { code: 'key-ambiguous', message: `several rows have the key ${JSON.stringify(operation.key)}` };
    if (operation.kind === 'patch') {
      const problem = this.columnProblem(operation.set);
      if (problem !== undefined) return problem;
      this.setCells(row, operation.set, number);
      row.writers.add(number);
      return undefined;
    }
    this.rows.delete(operation.key);
    if (row.kind === 'new') this.newRows = this.newRows.filter((candidate) => candidate !== row);
    else this.deleted.push({ index: row.index, number });
    return undefined;
  }

  private columnProblem(values: RowValues): Reason | undefined {
    const unknown = Object.keys(values).find((name) => !this.columns.byName.has(name));
    return unknown === undefined
      ? undefined
      : { code: 'column-gone', message: `the sheet has no column ${JSON.stringify(unknown)} any more` };
  }

  private setCells(row: GridRow | NewRow, values: RowValues, number: number): void {
    for (const [name, value] of Object.entries(values)) {
      if (value !== null) row.cells.set(this.columns.byName.get(name) as number, { value, number });
    }
  }

  requests(): PlannedRequest[] {
    return [...this.changes(), ...this.appends(), ...this.deletions()];
  }

  /** The rows that show whether each change and each deletion hits its row, as they will stand once the batch is applied. */
  keyChecks(): KeyCheck[] {
    return [...this.changedRows(), ...this.besideDeletions()];
  }

  private changedRows(): KeyCheck[] {
    return [...this.rows].flatMap(([key, row]) => {
      if (row.kind !== 'grid' || row.cells.size === 0) return [];
      return [
        {
          ...this.checkAt(this.indexAfter(row)),
          key,
          numbers: [...new Set([...row.cells.values()].map(({ number }) => number))],
        },
      ];
    });
  }

  private checkAt(rowIndex: number): { sheetId: number; column: number; rowIndex: number } {
    return { sheetId: this.grid.sheetId, column: this.keyColumn as number, rowIndex };
  }

  private indexAfter({ index }: { readonly index: number }): number {
    return index - this.deleted.filter((deleted) => deleted.index < index).length;
  }

  /** The row above and the row below each run of deleted rows; below the last row with a key, others may be put in between. */
  private besideDeletions(): KeyCheck[] {
    const checks: KeyCheck[] = [];
    let gone = 0;
    for (const { start, end, numbers } of runsOf(this.deleted)) {
      const beside = { numbers, besideDeleted: true as const };
      checks.push({ ...this.checkAt(start - 1 - gone), key: this.keyAt(start - 1), ...beside });
      if (end < this.lastKeyedIndex) checks.push({ ...this.checkAt(start - gone), key: this.keyAt(end + 1), ...beside });
      gone += end - start + 1;
    }
    return checks;
  }

  private keyAt(index: number): string {
    return keyText(unformatted(this.grid.cells[index][this.keyColumn as number]));
  }

  /** Each column that is written under, and the key column, by which rows are found. */
  columnChecks(): ColumnCheck[] {
    const users = new Map<number, Set<number>>([[this.keyColumn as number, new Set(this.deleted.map(({ number }) => number))]]);
    const use = (column: number, number: number): unknown =>
      users.get(column)?.add(number) ?? users.set(column, new Set([number]));
    for (const { cells } of this.rows.values()) {
      for (const [column, { number }] of cells) {
        use(column, number);
        use(this.keyColumn as number, number);
      }
    }
    const { sheetId } = this.grid;
    return [...users]
      .filter(([, numbers]) => numbers.size > 0)
      .map(([column, numbers]) => ({ sheetId, column, name: this.columns.labels[column], numbers: [...numbers] }));
  }

  /** What the batch's answer shall show: the header, and the keys of the rows that the batch is about. */
  responseRanges(): string[] {
    const rows = this.keyChecks().map(({ rowIndex }) => rowIndex);
    const appended = this.appendedRows();
    if (appended !== undefined) {
      // A range may end below the grid, but not begin there.
      rows.push(Math.max(0, Math.min(appended.first - LANDING_SLACK_ROWS, this.grid.rowCount - 1)));
      rows.push(appended.last + LANDING_SLACK_ROWS);
    }
    const title = quoteTitle(this.grid.title);
    const header = `${title}!1:1`;
    if (rows.length === 0 || this.keyColumn === undefined) return [header];
    const column = columnName(this.keyColumn);
    const [first, last] = rows.reduce(([low, high], index) => [Math.min(low, index), Math.max(high, index)], [Infinity, 0]);
    return [header, `${title}!${column}${first + 1}:${column}${last + 1}`];
  }

  private appendedRows(): { readonly first: number; readonly last: number } | undefined {
    const count = this.newRows.length;
    if (count === 0) return undefined;
    if (this.grid.appendedRows !== undefined) return this.grid.appendedRows;
    const first = this.indexAfter({ index: (this.insertAt() ?? this.lastDataIndex + 1) - 1 }) + 1;
    return { first, last: first + count - 1 };
  }

  landing(): PlannedLanding {
    const { sheetId, title } = this.grid;
    const rows = [...this.rows].flatMap(([key, row]) => {
      if (row.writers.size === 0 || row.cells.size === 0) return [];
      return [{ key, numbers: [...row.writers], ...(row.kind === 'grid' ? { rowIndex: this.indexAfter(row) } : {}) }];
    });
    const lastColumn = this.columns.labels.length - 1;
    return { sheetId, title, keyColumn: this.keyColumn as number, lastColumn, rows, deleted: this.deleted };
  }

  /** One request per run of adjacent cells that one write named: a cell that is named but empty would be cleared. */
  private *changes(): Generator<PlannedRequest> {
    for (const row of this.rows.values()) {
      if (row.kind !== 'grid' || row.cells.size === 0) continue;
      for (const run of adjacentRuns(row.cells)) {
        yield {
          request: {
            updateCells: {
              start: { sheetId: this.grid.sheetId, rowIndex: row.index, columnIndex: run.start },
              rows: [{ values: run.values.map((value) => cellData(value)) }],
              fields: 'userEnteredValue',
            },
          },
          numbers: [run.number],
        };
      }
    }
  }

  private *appends(): Generator<PlannedRequest> {
    if (this.newRows.length === 0) return;
    const { sheetId } = this.grid;
    const insertAt = this.insertAt();
    if (insertAt !== undefined) {
      yield {
        request: {
          insertDimension: {
            range: { sheetId, dimension: 'ROWS', startIndex: insertAt, endIndex: insertAt + this.newRows.length },
            inheritFromBefore: true,
          },
        },
        numbers: [],
      };
    }
    let index = insertAt ?? 0;
    for (const group of this.newRowsByWrite()) {
      const rows = group.map((row) => ({ values: rowCells(row.cells) }));
      const request =
        insertAt === undefined
          ? { appendCells: { sheetId, rows, fields: 'userEnteredValue' } }
          : { updateCells: { start: { sheetId, rowIndex: index, columnIndex: 0 }, rows, fields: 'userEnteredValue' } };
      index += group.length;
      yield { request, numbers: writersOf(group) };
    }
  }

  /** Something without a key stands below the last row with one: room is made above it, as a person would. */
  private insertAt(): number | undefined {
    return this.lastKeyedIndex < this.lastDataIndex ? this.lastKeyedIndex + 1 : undefined;
  }

  private newRowsByWrite(): NewRow[][] {
    const groups: NewRow[][] = [];
    for (const row of this.newRows) {
      const last = groups.at(-1);
      if (last !== undefined && last[0].appendedBy === row.appendedBy) last.push(row);
      else groups.push([row]);
    }
    return groups;
  }

  private *deletions(): Generator<PlannedRequest> {
    for (const { index, number } of [...this.deleted].sort((a, b) => b.index - a.index)) {
      yield {
        request: {
          deleteDimension: { range: { sheetId: this.grid.sheetId, dimension: 'ROWS', startIndex: index, endIndex: index + 1 } },
        },
        numbers: [number],
      };
    }
  }
}

/** Deleted rows that follow each other, from the top down. */
function runsOf(deleted: readonly { index: number; number: number }[]): { start: number; end: number; numbers: number[] }[] {
  const runs: { start: number; end: number; numbers: number[] }[] = [];
  for (const { index, number } of [...deleted].sort((a, b) => a.index - b.index)) {
    const last = runs.at(-1);
    if (last?.end === index - 1) {
      last.end = index;
      last.numbers.push(number);
    } else runs.push({ start: index, end: index, numbers: [number] });
  }
  return runs;
}

interface Run {
  readonly start: number;
  readonly values: CellScalar[];
  readonly number: number;
}

function adjacentRuns(cells: ReadonlyMap<number, PlannedCell>): Run[] {
  const runs: Run[] = [];
  for (const [column, { value, number }] of [...cells].sort(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    if (last?.number === number && last.start + last.values.length === column) last.values.push(value);
    else runs.push({ start: column, values: [value], number });
  }
  return runs;
}

/** The write that made the rows, and those that changed them before they were sent. */
function writersOf(group: readonly NewRow[]): number[] {
  const numbers = new Set([group[0].appendedBy]);
  for (const { cells } of group) for (const { number } of cells.values()) numbers.add(number);
  return [...numbers].sort((a, b) => a - b);
}

/** From the first column on, so that a row never starts elsewhere; cells without a value are left out or empty. */
function rowCells(cells: ReadonlyMap<number, PlannedCell>): unknown[] {
  const width = Math.max(-1, ...cells.keys()) + 1;
  return Array.from({ length: width }, (_, column) => cellData(cells.get(column)?.value ?? ''));
}

/** A value as it is (RAW): text stays text, whatever it begins with. Blank is an empty cell. Source: ExtendedValue. */
function cellData(value: CellScalar): unknown {
  if (value === '') return {};
  if (typeof value === 'number') return { userEnteredValue: { numberValue: value } };
  if (typeof value === 'boolean') return { userEnteredValue: { boolValue: value } };
  return { userEnteredValue: { stringValue: value } };
}

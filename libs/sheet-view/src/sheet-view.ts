/**
 * The view of one sheet: snapshot + settled + pending writes, in that order. What every read returns.
 *
 * Rows keep the order of the sheet; appended rows follow the last row that has a key. Each row is serialised once and again only
 * after it changed, so that a read joins ready strings. A view is changed in place by writes that follow; where a write is taken
 * out again, or another snapshot comes, a new view is made.
 */
import type { CellScalar, RowsWrite, RowValues } from '@app/write-log';
import { columnsOf, keyText, type Columns } from './columns';
import { unformatted, type SnapshotContent } from './snapshot';

export interface ViewRow {
  readonly key: string;
  readonly values: readonly CellScalar[];
}

class Row implements ViewRow {
  private json?: string;

  constructor(
    readonly key: string,
    public values: CellScalar[],
  ) {}

  toJson(labels: readonly string[]): string {
    this.json ??= `{${labels.map((label, index) => `${label}:${JSON.stringify(this.values[index] ?? '')}`).join(',')}}`;
    return this.json;
  }

  set(index: number, value: CellScalar): void {
    while (this.values.length < index) this.values.push('');
    this.values[index] = value;
    this.json = undefined;
  }
}

export class SheetView {
  readonly columns: Columns;
  /** Undefined where the sheet has no column of that name, or several. */
  readonly keyColumn: number | undefined;
  /** The writes that it shows on top of the snapshot, in their order. */
  readonly applied: RowsWrite[] = [];
  private readonly rows: Row[] = [];
  private readonly byKey = new Map<string, Row>();
  /** Where the next appended row goes: after the last row with a key. */
  private appendAt = 0;
  private contentEndsWithKeyedRow = true;
  private readonly jsonLabels: readonly string[];
  private whole?: Buffer;

  constructor(
    readonly content: SnapshotContent,
    keyColumnName: string,
  ) {
    this.columns = columnsOf(content.cells[0]);
    this.keyColumn = this.columns.byName.get(keyColumnName);
    this.jsonLabels = this.columns.labels.map((label) => JSON.stringify(label));
    const width = this.columns.labels.length;
    for (const cells of content.cells.slice(1)) {
      // Also a row that no reader sees, such as a note beside the table or a formula that gives nothing, is a row of the sheet.
      this.contentEndsWithKeyedRow = false;
      const values = Array.from({ length: width }, (_, index) => unformatted(cells[index]));
      if (values.every((value) => value === '')) continue;
      const row = new Row(this.keyColumn === undefined ? '' : keyText(values[this.keyColumn]), values);
      this.rows.push(row);
      if (row.key !== '') {
        if (!this.byKey.has(row.key)) this.byKey.set(row.key, row);
        this.appendAt = this.rows.length;
        this.contentEndsWithKeyedRow = true;
      }
    }
  }

  get rowCount(): number {
    return this.rows.length;
  }

  /** The sheet's first row exists and names at least one column. */
  get hasHeader(): boolean {
    return this.columns.labels.length > 0;
  }

  /** Nothing without a key stands below the last row with one, so appended rows go to the end of the sheet. */
  get endsWithKeyedRow(): boolean {
    return this.contentEndsWithKeyedRow && this.appendAt === this.rows.length;
  }

  row(key: string): ViewRow | undefined {
    return this.byKey.get(key);
  }

  rowJson(key: string): string | undefined {
    return this.byKey.get(key)?.toJson(this.jsonLabels);
  }

  /** Rows `offset` to `offset + limit` as a JSON array. */
  rowsJson(offset: number, limit: number): string {
    return this.join(offset, offset + limit);
  }

  /** A page as clients get it. The whole sheet is kept ready as bytes until a write changes it. */
  page(offset: number, limit: number): string | Buffer {
    if (offset > 0 || limit < this.rows.length) return this.pageText(offset, limit);
    this.whole ??= Buffer.from(this.pageText(0, this.rows.length));
    return this.whole;
  }

  private pageText(offset: number, limit: number): string {
    return `{"rows":${this.join(offset, offset + limit)},"total":${this.rows.length},"offset":${offset}}`;
  }

  private join(from: number, to: number): string {
    return `[${this.rows
      .slice(from, to)
      .map((row) => row.toJson(this.jsonLabels))
      .join(',')}]`;
  }

  /** Shows a write. One that cannot be carried out as things stand changes nothing: the drain will set it aside. */
  apply(write: RowsWrite): void {
    const { operation } = write;
    this.applied.push(write);
    this.whole = undefined;
    if (operation.kind === 'append') for (const row of operation.rows) this.append(row.key, row.values);
    else if (operation.kind === 'delete') this.remove(operation.key);
    else this.patch(operation.key, operation.set);
  }

  private append(key: string, values: RowValues): void {
    if (this.keyColumn === undefined || this.byKey.has(key)) return;
    const row = new Row(
      key,
      this.columns.labels.map(() => ''),
    );
    this.setValues(row, values);
    this.rows.splice(this.appendAt, 0, row);
    this.appendAt += 1;
    this.byKey.set(key, row);
  }

  private patch(key: string, values: RowValues): void {
    const row = this.byKey.get(key);
    if (row !== undefined) this.setValues(row, values);
  }

  private setValues(row: Row, values: RowValues): void {
    for (const [name, value] of Object.entries(values)) {
      const index = this.columns.byName.get(name);
      if (index !== undefined && value !== null) row.set(index, value);
    }
  }

  private remove(key: string): void {
    const row = this.byKey.get(key);
    if (row === undefined) return;
    const at = this.rows.lastIndexOf(row);
    this.rows.splice(at, 1);
    if (at < this.appendAt) this.appendAt -= 1;
    this.byKey.delete(key);
  }

  /** Whether a reader, or a writer who appends, could not tell the two apart. */
  showsTheSameAs(other: SheetView): boolean {
    return (
      this.jsonLabels.join() === other.jsonLabels.join() &&
      this.endsWithKeyedRow === other.endsWithKeyedRow &&
      this.rows.length === other.rows.length &&
      this.rows.every((row, at) => row.toJson(this.jsonLabels) === other.rows[at].toJson(other.jsonLabels))
    );
  }
}

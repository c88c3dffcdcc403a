/**
 * One write in the making. A sheet, and within it a row, is copied the first time it is touched; what was copied belongs to
 * this transaction and is changed in place from then on. `commit` hands out the new state, anything thrown on the way leaves
 * the old one as it was. A batch of 2,000 appended rows so costs one copy of the list of rows, whatever its length.
 */
import type { Dimension, GridRange, NamedRange } from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import type {
  Cell,
  DimensionGroup,
  DimensionState,
  ProtectedRange,
  Row,
  SheetState,
  StoredMetadata,
  StoredSheetProperties,
  WorkbookState,
} from './state';

type MutableRow = (Cell | undefined)[];

/** The largest spreadsheet that the service keeps. Source: "Google Drive limits", cells of a spreadsheet. */
const CELLS_MAX = 10_000_000;

export class SheetDraft implements SheetState {
  properties: StoredSheetProperties;
  readonly rows: (Row | undefined)[];
  readonly rowStates: (DimensionState | undefined)[];
  readonly columnStates: (DimensionState | undefined)[];
  merges: readonly GridRange[];
  protectedRanges: readonly ProtectedRange[];
  basicFilter?: SheetState['basicFilter'];
  rowGroups: readonly DimensionGroup[];
  columnGroups: readonly DimensionGroup[];
  readonly others: SheetState['others'];
  private readonly ownRows = new WeakSet<Row>();

  constructor(
    base: SheetState,
    private readonly recorder?: EditRecorder,
  ) {
    this.properties = base.properties;
    this.rows = base.rows.slice();
    this.rowStates = base.rowStates.slice();
    this.columnStates = base.columnStates.slice();
    this.merges = base.merges;
    this.protectedRanges = base.protectedRanges;
    this.basicFilter = base.basicFilter;
    this.rowGroups = base.rowGroups;
    this.columnGroups = base.columnGroups;
    this.others = base.others;
  }

  get sheetId(): number {
    return this.properties.sheetId;
  }

  get rowCount(): number {
    return this.properties.gridProperties.rowCount;
  }

  get columnCount(): number {
    return this.properties.gridProperties.columnCount;
  }

  resize(size: { readonly rowCount?: number; readonly columnCount?: number }): void {
    this.properties = { ...this.properties, gridProperties: { ...this.properties.gridProperties, ...size } };
  }

  cell(row: number, column: number): Cell | undefined {
    return this.rows[row]?.[column];
  }

  setCell(row: number, column: number, cell: Cell | undefined): void {
    this.recorder?.cell(this.sheetId, row, column, this.cell(row, column));
    if (cell === undefined && this.rows[row] === undefined) return;
    this.writableRow(row)[column] = cell;
  }

  /** The row to be changed in place. */
  writableRow(index: number): MutableRow {
    const row = this.rows[index];
    if (row && this.ownRows.has(row)) return row as MutableRow;
    const copy: MutableRow = row ? row.slice() : [];
    this.ownRows.add(copy);
    while (this.rows.length < index) this.rows.push(undefined);
    this.rows[index] = copy;
    return copy;
  }

  /** Values, formats, notes and all of a rectangle as one function of the old cell. */
  mapCells(area: CellArea, change: (cell: Cell | undefined, row: number, column: number) => Cell | undefined): void {
    for (let row = area.startRow; row < area.endRow; row += 1) {
      for (let column = area.startColumn; column < area.endColumn; column += 1) {
        const before = this.cell(row, column);
        const after = change(before, row, column);
        if (after !== before) this.setCell(row, column, after);
      }
    }
  }

  freeze(): SheetState {
    const { properties, rows, rowStates, columnStates, merges, protectedRanges, basicFilter, rowGroups, columnGroups, others } =
      this;
    const parts = { properties, rows, rowStates, columnStates, merges, protectedRanges, basicFilter, rowGroups, columnGroups };
    return others === undefined ? parts : { ...parts, others };
  }
}

export interface CellArea {
  readonly startRow: number;
  readonly endRow: number;
  readonly startColumn: number;
  readonly endColumn: number;
}

/** Hears what is being changed; see recording.ts. */
export interface EditRecorder {
  cell(sheetId: number, row: number, column: number, before: Cell | undefined): void;
  inserted(sheetId: number, dimension: Dimension, start: number, end: number): void;
}

export interface TransactionOptions {
  readonly acceptClashingMetadataIds: boolean;
  readonly random: () => number;
  readonly recorder?: EditRecorder;
}

export class Transaction {
  properties: WorkbookState['properties'];
  sheets: readonly (SheetState | SheetDraft)[];
  namedRanges: readonly NamedRange[];
  metadata: readonly StoredMetadata[];

  constructor(
    private readonly base: WorkbookState,
    readonly options: TransactionOptions,
  ) {
    this.properties = base.properties;
    this.sheets = base.sheets;
    this.namedRanges = base.namedRanges;
    this.metadata = base.metadata;
  }

  get spreadsheetId(): string {
    return this.base.spreadsheetId;
  }

  /** The sheet, to be changed. */
  sheet(sheetId = 0): SheetDraft {
    const place = this.sheets.findIndex((sheet) => sheet.properties.sheetId === sheetId);
    const found = this.sheets[place];
    if (!found) throw invalid(`No grid with id: ${sheetId}`);
    if (found instanceof SheetDraft) return found;
    const draft = new SheetDraft(found, this.options.recorder);
    this.sheets = this.sheets.with(place, draft);
    return draft;
  }

  /** Called where a sheet has grown. */
  checkCellCount(): void {
    const count = this.sheets.reduce(
      (sum, { properties: { gridProperties: grid } }) => sum + grid.rowCount * grid.columnCount,
      0,
    );
    if (count > CELLS_MAX) {
      throw invalid(`This action would increase the number of cells in the workbook above the limit of ${CELLS_MAX} cells.`);
    }
  }

  /** An id of the kind that the service draws: a positive int32 not in use. */
  newId(isUsed: (id: number) => boolean): number {
    for (;;) {
      const id = 1 + Math.floor(this.options.random() * 2_147_483_646);
      if (!isUsed(id)) return id;
    }
  }

  /** The state as it stands, for reading in the middle of the write. */
  view(): WorkbookState {
    const { properties, sheets, namedRanges, metadata } = this;
    const { others } = this.base;
    const parts = { spreadsheetId: this.spreadsheetId, properties, sheets, namedRanges, metadata };
    return others === undefined ? parts : { ...parts, others };
  }

  commit(): WorkbookState {
    const sheets = this.sheets.map((sheet) => (sheet instanceof SheetDraft ? sheet.freeze() : sheet));
    return { ...this.view(), sheets };
  }
}

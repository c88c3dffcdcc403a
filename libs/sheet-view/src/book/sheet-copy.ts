/**
 * A sheet cell by cell, as its view shows it: the snapshot's cells and the writes on top. Made when it is asked for, and carried
 * on from there when writes follow; a view that nobody reads by cells costs nothing.
 */
import type { CellData, ExtendedValue } from '@app/sheets-wire';
import {
  CellReader,
  copiedSheetState,
  isDateFormat,
  newWorkbook,
  Transaction,
  type AnsweredSheet,
  type Cell,
  type Row,
  type SheetState,
} from '@app/workbook';
import type { CellScalar, LoggedWrite } from '@app/write-log';
import { plainText, snapshotCell, trimmedCells, type SnapshotCell, type SnapshotContent } from '../snapshot';
import { applyWrite } from './apply-write';

/** A snapshot, and the writes that it does not contain. */
export interface WrittenOn {
  readonly content: SnapshotContent;
  readonly applied: readonly LoggedWrite[];
}

interface Copy {
  readonly document: AnsweredSheet | undefined;
  readonly state: SheetState;
  /** How many of the writes it shows. */
  readonly applied: number;
}

const copies = new WeakMap<WrittenOn, Copy>();

/** @param document what is known of the sheet beside its cells; without it, what the snapshot says */
export function sheetCopy(view: WrittenOn, document: AnsweredSheet | undefined, keyColumnName: string): SheetState {
  const known = copies.get(view);
  let copy = known?.document === document && known !== undefined ? known : baseOf(view, document);
  if (copy.applied < view.applied.length) {
    const state = withWrites(copy.state, view.applied.slice(copy.applied), keyColumnName);
    copy = { document, state, applied: view.applied.length };
  }
  copies.set(view, copy);
  return copy.state;
}

/** The snapshot as it would be with these writes in it. */
export function contentWith(content: SnapshotContent, applied: readonly LoggedWrite[], keyColumnName: string): SnapshotContent {
  const state = withWrites(baseOf({ content, applied }, undefined).state, applied, keyColumnName);
  const reader = new CellReader(newWorkbook('', '', [state]));
  const { gridProperties } = state.properties;
  return {
    ...content,
    rowCount: gridProperties.rowCount,
    columnCount: gridProperties.columnCount,
    cells: trimmedCells(
      Array.from(state.rows, (row, at) =>
        Array.from(row ?? [], (cell, column) =>
          cell === undefined ? '' : snapshotCell(answeredCell(cell, reader, state, at, column)),
        ),
      ),
    ),
  };
}

function answeredCell(cell: Cell, reader: CellReader, state: SheetState, row: number, column: number): CellData {
  const effectiveValue = reader.effective(state, row, column);
  if (effectiveValue === undefined) return {};
  const isDate =
    cell.known?.of === cell.userEnteredValue ? cell.known?.isDate : isDateFormat(cell.userEnteredFormat?.numberFormat);
  return {
    userEnteredValue: cell.userEnteredValue,
    effectiveValue,
    formattedValue: reader.formatted(cell, effectiveValue),
    ...(isDate === true ? { effectiveFormat: { numberFormat: { type: 'DATE' } } } : {}),
  };
}

function withWrites(state: SheetState, writes: readonly LoggedWrite[], keyColumnName: string): SheetState {
  const transaction = new Transaction(newWorkbook('', '', [state]), { acceptClashingMetadataIds: true, random: Math.random });
  for (const write of writes) applyWrite(transaction, state.properties.sheetId, write, keyColumnName);
  return transaction.commit().sheets[0];
}

function baseOf({ content }: WrittenOn, document: AnsweredSheet | undefined): Copy {
  const { sheetId, title, index, rowCount, columnCount } = content;
  const rows = content.cells.map((row): Row => row.map(cellOf));
  const own: AnsweredSheet = {
    properties: { sheetId, title, index, sheetType: 'GRID', gridProperties: { rowCount, columnCount } },
  };
  const state = copiedSheetState(document ?? own, rows);
  return { document, state: withRoomFor(state, rowCount, columnCount), applied: 0 };
}

/** The cells may have been fetched after the sheet's properties. */
function withRoomFor(state: SheetState, rowCount: number, columnCount: number): SheetState {
  const { gridProperties } = state.properties;
  return { ...state, properties: { ...state.properties, gridProperties: { ...gridProperties, rowCount, columnCount } } };
}

function cellOf(cell: SnapshotCell): Cell | undefined {
  if (cell === '') return undefined;
  if (typeof cell !== 'object') {
    const value = extendedValue(cell);
    // A fraction of many digits is shown shortened where it has no format, unless the service has shown it in full.
    return typeof cell === 'number' && !Number.isInteger(cell)
      ? { userEnteredValue: value, known: { of: value, effective: value, shown: plainText(cell), isDate: false } }
      : { userEnteredValue: value };
  }
  const effective = cell.error === undefined ? extendedValue(cell.value) : { errorValue: cell.error };
  const of: ExtendedValue = cell.formula === undefined ? effective : { formulaValue: cell.formula };
  return { userEnteredValue: of, known: { of, effective, shown: cell.shown, isDate: cell.isDate === true } };
}

function extendedValue(value: CellScalar): ExtendedValue {
  if (typeof value === 'number') return { numberValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: value };
}

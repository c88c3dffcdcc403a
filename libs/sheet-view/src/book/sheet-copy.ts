/**
 * A sheet cell by cell, as its view shows it: the snapshot's cells and the writes on top. Made when it is asked for, and carried
 * on from there when writes follow; a view that nobody reads by cells costs nothing.
 */
import type { ExtendedValue } from '@app/sheets-wire';
import {
  copiedSheetState,
  newWorkbook,
  Transaction,
  type AnsweredSheet,
  type Cell,
  type Row,
  type SheetState,
} from '@app/workbook';
import type { CellScalar } from '@app/write-log';
import type { SheetView } from '../sheet-view';
import { plainText, type SnapshotCell } from '../snapshot';
import { applyWrite } from './apply-write';

interface Copy {
  readonly document: AnsweredSheet | undefined;
  readonly state: SheetState;
  /** How many of the view's writes it shows. */
  readonly applied: number;
}

const copies = new WeakMap<SheetView, Copy>();

/** @param document what is known of the sheet beside its cells; without it, what the snapshot says */
export function sheetCopy(view: SheetView, document: AnsweredSheet | undefined, keyColumnName: string): SheetState {
  const known = copies.get(view);
  let copy = known?.document === document && known !== undefined ? known : baseOf(view, document);
  if (copy.applied < view.applied.length) {
    const { state } = copy;
    const transaction = new Transaction(newWorkbook('', '', [state]), { acceptClashingMetadataIds: true, random: Math.random });
    for (const write of view.applied.slice(copy.applied)) applyWrite(transaction, state.properties.sheetId, write, keyColumnName);
    copy = { document, state: transaction.commit().sheets[0], applied: view.applied.length };
  }
  copies.set(view, copy);
  return copy.state;
}

function baseOf({ content }: SheetView, document: AnsweredSheet | undefined): Copy {
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

/** What a cell is worth: its effective value, and the three ways in which a read renders it. */
import type { CellValue, DateTimeRenderOption, ExtendedValue, GridRange, ValueRenderOption } from '@app/sheets-wire';
import { FormulaEvaluator } from './formula/evaluator';
import { formatNumber, isDateFormat } from './number-format';
import { knownOf, type Cell, type SheetState, type WorkbookState } from './state';

export interface RenderOptions {
  readonly value: ValueRenderOption;
  readonly dateTime: DateTimeRenderOption;
}

export class CellReader {
  private readonly formulas: FormulaEvaluator;

  constructor(state: WorkbookState) {
    this.formulas = new FormulaEvaluator(state.sheets);
  }

  effective(sheet: SheetState, row: number, column: number): ExtendedValue | undefined {
    const cell = sheet.rows[row]?.[column];
    const known = knownOf(cell);
    if (known) return known.effective;
    const entered = cell?.userEnteredValue;
    return entered?.formulaValue === undefined ? entered : this.formulas.cell(sheet, row, column);
  }

  formatted(cell: Cell, effective: ExtendedValue): string {
    const known = knownOf(cell);
    if (known) return known.shown;
    if (effective.stringValue !== undefined) return effective.stringValue;
    if (effective.numberValue !== undefined) return formatNumber(effective.numberValue, cell.userEnteredFormat?.numberFormat);
    if (effective.boolValue !== undefined) return effective.boolValue ? 'TRUE' : 'FALSE';
    return errorText(effective);
  }

  /** As a values method renders it; an empty cell is the empty text. */
  render(sheet: SheetState, row: number, column: number, options: RenderOptions): CellValue {
    const cell = sheet.rows[row]?.[column];
    if (cell?.userEnteredValue === undefined || (sheet.merges.length > 0 && isCovered(sheet.merges, row, column))) return '';
    const { formulaValue } = cell.userEnteredValue;
    if (options.value === 'FORMULA' && formulaValue !== undefined) return formulaValue;
    const effective = this.effective(sheet, row, column);
    if (effective === undefined) return '';
    if (options.value === 'FORMATTED_VALUE') return this.formatted(cell, effective);
    if (effective.numberValue !== undefined) {
      const isDate = knownOf(cell)?.isDate ?? isDateFormat(cell.userEnteredFormat?.numberFormat);
      const asText = options.dateTime === 'FORMATTED_STRING' && isDate;
      return asText ? this.formatted(cell, effective) : effective.numberValue;
    }
    return effective.stringValue ?? effective.boolValue ?? errorText(effective);
  }
}

/** Whether a merge hides the cell: all but its top left one. */
export function isCovered(merges: readonly GridRange[], row: number, column: number): boolean {
  return merges.some(({ startRowIndex = 0, endRowIndex = 0, startColumnIndex = 0, endColumnIndex = 0 }) => {
    const inside = row >= startRowIndex && row < endRowIndex && column >= startColumnIndex && column < endColumnIndex;
    return inside && !(row === startRowIndex && column === startColumnIndex);
  });
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  NULL_VALUE: '#NULL!',
  DIVIDE_BY_ZERO: '#DIV/0!',
  VALUE: '#VALUE!',
  REF: '#REF!',
  NAME: '#NAME?',
  NUM: '#NUM!',
  N_A: '#N/A',
  LOADING: 'Loading...',
};

function errorText(value: ExtendedValue): string {
  return ERROR_TEXTS[value.errorValue?.type ?? ''] ?? '#ERROR!';
}

/** A sheet as the upstream has it, on which writes are tried out one after the other before they are sent. */
import { newWorkbook, Transaction } from '@app/workbook';
import type { CellsArea, CellsOperation } from '@app/write-log';
import type { SnapshotContent } from '../snapshot';
import { applyRequests } from './apply-write';
import { sheetCopy } from './sheet-copy';

export class TrialSheet {
  private readonly transaction: Transaction;

  constructor(private readonly content: SnapshotContent) {
    const state = sheetCopy({ content, applied: [] }, undefined, '');
    this.transaction = new Transaction(newWorkbook('', '', [state]), { acceptClashingMetadataIds: true, random: Math.random });
  }

  private get sheet(): ReturnType<Transaction['sheet']> {
    return this.transaction.sheet(this.content.sheetId);
  }

  get rowCount(): number {
    return this.sheet.rowCount;
  }

  get columnCount(): number {
    return this.sheet.columnCount;
  }

  /** No cell of the area holds anything; what lies beyond the grid holds nothing. */
  isFree({ startRow, endRow, startColumn, endColumn }: CellsArea): boolean {
    for (let row = startRow; row < endRow; row += 1) {
      for (let column = startColumn; column < endColumn; column += 1)
        if (this.sheet.cell(row, column)?.userEnteredValue !== undefined) return false;
    }
    return true;
  }

  apply(operation: Pick<CellsOperation, 'requests' | 'appends'>): void {
    applyRequests(this.transaction, operation);
  }
}

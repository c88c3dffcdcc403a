import type { Receipt } from '@app/write-log';
import { BULL_BOARD_PATH } from '../bull-board/bull-board.module';
import { WRITE_QUEUE } from '@app/write-queue';
import type { FailedWrite } from './status-state';

/**
 * What a reason's code means, in words that name no cell: the message on the receipt may quote the spreadsheet, so it is shown only
 * where receipts are.
 */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  'row-gone': 'the row is no longer in the sheet',
  'row-moved': 'rows were moved while it was written: check the sheet',
  'column-gone': 'a column that it names is no longer in the sheet',
  'sheet-gone': 'the tab was deleted',
  'key-taken': 'another row has its key by now',
  'key-column-gone': 'the key column is no longer in the sheet',
  'key-ambiguous': 'several rows have its key',
  'rejected-by-upstream': 'the upstream refused it for good',
};

export function failedWrite(receipt: Receipt, hasJob: boolean): FailedWrite {
  const reason = receipt.reason?.code ?? 'unknown';
  return {
    writeId: receipt.id,
    sheet: receipt.sheet,
    operation: receipt.operation,
    reason,
    explanation: EXPLANATIONS[reason] ?? 'its receipt says more',
    failedAt: receipt.settledAt,
    ...(hasJob ? { jobPath: `${BULL_BOARD_PATH}/queue/${WRITE_QUEUE}/${receipt.id}` } : {}),
  };
}

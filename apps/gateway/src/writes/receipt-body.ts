import type { LandedUnknown, Receipt } from '@app/write-log';

const UNKNOWN: Readonly<Record<LandedUnknown, string>> = {
  'answer-lost': 'its commit entry shows that it was applied; the answer that would have said where was lost',
  'not-shown': 'the upstream did not show its rows where they were expected',
  'not-sent': 'writes after it in the same batch undid or replaced all of it, so nothing of it was sent',
};

/** A receipt as clients see it. */
export type ReceiptBody = Omit<Receipt, 'number' | 'spreadsheetId' | 'sheetId'>;

export function receiptBody(receipt: Receipt): ReceiptBody {
  const { id, state, sheet, operation, keys, acceptedAt, sentAt, settledAt, reason, releasedAs, releaseOf } = receipt;
  const landed = landedBody(receipt);
  const { waiting } = receipt;
  return { id, state, sheet, operation, keys, reason, waiting, acceptedAt, sentAt, settledAt, ...landed, releasedAs, releaseOf };
}

function landedBody({ landed }: Receipt): Record<string, unknown> {
  if (typeof landed !== 'string') return { landed };
  return { landed: null, landedUnknown: { code: landed, message: UNKNOWN[landed] } };
}

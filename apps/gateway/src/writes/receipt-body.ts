import type { Receipt } from '@app/write-log';

/** A receipt as clients see it. */
export function receiptBody(receipt: Receipt): Record<string, unknown> {
  const { id, state, sheet, operation, keys, acceptedAt, sentAt, settledAt, reason, releasedAs, releaseOf } = receipt;
  return { id, state, sheet, operation, keys, reason, acceptedAt, sentAt, settledAt, releasedAs, releaseOf };
}

import { CodedError } from '@app/platform';
import type { Receipt } from '@app/write-log';

/** How a verdict against a write is told to the client who waited for it. */
const STATUS: Readonly<Record<string, number>> = {
  'key-taken': 409,
  'key-ambiguous': 409,
  'column-gone': 409,
  'key-column-gone': 409,
  'column-moved': 409,
  'row-moved': 409,
  'row-gone': 404,
  'sheet-gone': 404,
};

export function writeRejected(receipt: Receipt): CodedError {
  const { code = 'rejected-by-upstream', message = 'the upstream refused the write' } = receipt.reason ?? {};
  return new CodedError({ code, status: STATUS[code] ?? 422, message, details: { receipt: `/writes/${receipt.id}` } });
}

import type { Receipt, WriteOperation, WriteState } from './write';

/** Translates the hash that the scripts keep into a receipt. */
export function readReceipt(number: number, spreadsheetId: string, fields: Readonly<Record<string, string>>): Receipt {
  return {
    id: fields.id,
    number,
    state: fields.state as WriteState,
    spreadsheetId,
    sheet: fields.sheet,
    sheetId: Number(fields.sheetId),
    operation: fields.operation as WriteOperation['kind'],
    keys: JSON.parse(fields.keys) as string[],
    acceptedAt: iso(fields.acceptedAtMs) as string,
    sentAt: iso(fields.sentAtMs),
    settledAt: iso(fields.settledAtMs),
    ...(fields.code === undefined ? {} : { reason: { code: fields.code, message: fields.message } }),
  };
}

function iso(ms: string | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Number(ms)).toISOString();
}

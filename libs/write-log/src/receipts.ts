import type { RedisClient } from '@app/platform';
import type { SpreadsheetKeys } from './keys';
import { readWaiting, type Waiting } from './waiting';
import { isFinal, type Landed, type LandedUnknown, type Receipt, type WriteOperation, type WriteState } from './write';

/** Translates the hash that the scripts keep into a receipt. */
export function readReceipt(
  number: number,
  spreadsheetId: string,
  fields: Readonly<Record<string, string>>,
  waiting?: Waiting,
): Receipt {
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
    ...(waiting === undefined || isFinal(fields.state as WriteState) ? {} : { waiting }),
    ...(fields.state === 'applied' ? { landed: readLanded(fields.landed) } : {}),
    ...(fields.releasedAs === undefined ? {} : { releasedAs: fields.releasedAs }),
    ...(fields.releaseOf === undefined ? {} : { releaseOf: fields.releaseOf }),
    ...(fields.code === undefined ? {} : { reason: { code: fields.code, message: fields.message } }),
  };
}

/** Without a word of the batch's answer, its commit entry has told that it was applied. */
function readLanded(stored: string | undefined): Landed | LandedUnknown {
  if (stored === undefined) return 'answer-lost';
  return stored.startsWith('{') ? (JSON.parse(stored) as Landed) : (stored as LandedUnknown);
}

function iso(ms: string | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Number(ms)).toISOString();
}

/** Numbers looked at for one page: keeps a page of a rare state from reading the whole log. */
const SCANNED_PER_PAGE_MAX = 2_000;

export interface ReceiptPage {
  readonly receipts: readonly Receipt[];
  /** Where the next page begins; absent: this was the last. */
  readonly before?: number;
}

/**
 * Receipts of a spreadsheet, the newest first, from below a number on. Those of writes that were set aside are indexed; the others
 * are found by walking the numbers down.
 */
export async function listReceipts(
  redis: RedisClient,
  keys: SpreadsheetKeys,
  { states, before, limit }: { states: readonly WriteState[]; before?: number; limit: number },
): Promise<ReceiptPage> {
  const [spreadsheetId, tail, appliedThrough] = await redis.hmget(keys.marks, 'spreadsheetId', 'tail', 'appliedThrough');
  const waiting = await readWaiting(redis, keys);
  const from = Math.min(Number(tail ?? 0), (before ?? Infinity) - 1);
  const setAsideOnly = states.every((state) => state === 'failed' || state === 'cancelled');
  // What is pending lies above the mark.
  const down = states.every((state) => !isFinal(state)) ? Number(appliedThrough ?? 0) : 0;
  const candidates = setAsideOnly
    ? (await redis.zrevrangebyscore(keys.setAside, from, '-inf', 'LIMIT', 0, SCANNED_PER_PAGE_MAX)).map(Number)
    : Array.from({ length: Math.max(0, Math.min(SCANNED_PER_PAGE_MAX, from - down)) }, (_, at) => from - at);

  const found: Receipt[] = [];
  let last = from + 1;
  for (let at = 0; at < candidates.length && found.length < limit; at += limit) {
    const slice = candidates.slice(at, at + limit);
    const all = await Promise.all(slice.map((number) => redis.hgetall(keys.receipt(number))));
    for (const [index, number] of slice.entries()) {
      last = number;
      const fields = all[index];
      if (fields.id !== undefined && states.includes(fields.state as WriteState))
        found.push(readReceipt(number, spreadsheetId ?? '', fields, waiting));
      if (found.length === limit) break;
    }
  }
  const more = found.length === limit || candidates.length === SCANNED_PER_PAGE_MAX;
  return { receipts: found, ...(more && last > 1 ? { before: last } : {}) };
}

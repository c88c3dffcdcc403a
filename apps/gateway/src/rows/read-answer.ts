/** How a read is told: its headers, its page, and whether the client has it already. One definition for both ways of answering. */
import type { ReadAnswer } from '@app/sheet-view';

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface Page {
  readonly offset: number;
  /** Absent: to the end. */
  readonly limit?: number;
}

/** Where a read comes from. `part` names what of the sheet it shows, for the `ETag`. */
export function readHeaders(answer: ReadAnswer, part: string): Record<string, string> {
  return {
    'Content-Type': JSON_TYPE,
    'X-Data-Source': answer.source,
    Age: String(Math.floor(answer.ageMs / 1_000)),
    'X-Pending-Writes': String(answer.pendingWrites),
    ETag: etagOf(answer, part),
    'Cache-Control': 'no-cache',
  };
}

/** The client named this version in `If-None-Match`: a 304 will do. */
export function isKnownToClient(ifNoneMatch: string | undefined, answer: ReadAnswer, part: string): boolean {
  if (ifNoneMatch === undefined || answer.version === '') return false;
  const candidates = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  return candidates.includes(etagOf(answer, part)) || candidates.includes('*');
}

export function partOfPage({ offset, limit }: Page): string {
  return `${offset}.${limit ?? 'all'}`;
}

export function partOfKey(key: string): string {
  return `key.${encodeURIComponent(key)}`;
}

export function pageBody({ view }: ReadAnswer, { offset, limit = Number.MAX_SAFE_INTEGER }: Page): string | Buffer {
  return view.page(offset, limit);
}

function etagOf({ version }: ReadAnswer, part: string): string {
  return `"${version}.${part}"`;
}

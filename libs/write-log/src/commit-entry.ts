/**
 * Commit entries: each batch creates one developer-metadata entry on the spreadsheet in the same atomic call as its writes.
 * So the spreadsheet itself says which batches it contains, and the service, which keeps metadata ids unique within a
 * spreadsheet, refuses to apply a number twice. Sources: spreadsheets.batchUpdate (CreateDeveloperMetadataRequest), DeveloperMetadata.
 *
 * id    = 1,000,000,000 + the batch's number
 * value = `<epoch of the log>.<batch id> <first>-<last> <numbers left out, comma-separated>`, at most 200 characters, since
 *         all entries of a spreadsheet share a small budget
 */
export const COMMIT_ENTRY_KEY = 'sheets-quota-gateway';
export const COMMIT_ENTRY_ID_BASE = 1_000_000_000;
export const COMMIT_ENTRY_VALUE_MAX = 200;

export interface CommitEntry {
  readonly batchNumber: number;
  readonly epoch: string;
  readonly batchId: string;
  readonly first: number;
  readonly last: number;
  readonly leftOut: readonly number[];
}

export interface MetadataLike {
  readonly metadataId: number;
  readonly metadataKey: string;
  readonly metadataValue?: string;
}

export function commitEntryId(batchNumber: number): number {
  return COMMIT_ENTRY_ID_BASE + batchNumber;
}

/** @returns undefined where the value would be too long: then the batch has to end earlier. */
export function commitEntryValue(entry: Omit<CommitEntry, 'batchNumber'>): string | undefined {
  const leftOut = entry.leftOut.length === 0 ? '' : ` ${entry.leftOut.join(',')}`;
  const value = `${entry.epoch}.${entry.batchId} ${entry.first}-${entry.last}${leftOut}`;
  return value.length <= COMMIT_ENTRY_VALUE_MAX ? value : undefined;
}

/** The request that creates a commit entry: it applies once, since the service keeps ids unique within a spreadsheet. */
export function commitEntryRequest(batchNumber: number, metadataValue: string): unknown {
  const entry = { metadataId: commitEntryId(batchNumber), metadataKey: COMMIT_ENTRY_KEY, metadataValue };
  return {
    createDeveloperMetadata: { developerMetadata: { ...entry, location: { spreadsheet: true }, visibility: 'DOCUMENT' } },
  };
}

/** The commit entries among a spreadsheet's metadata, in order of their numbers; what others put there is passed over. */
export function readCommitEntries(metadata: readonly MetadataLike[]): CommitEntry[] {
  const entries: CommitEntry[] = [];
  for (const { metadataId, metadataKey, metadataValue } of metadata) {
    if (metadataKey !== COMMIT_ENTRY_KEY || metadataId <= COMMIT_ENTRY_ID_BASE) continue;
    const parts = /^([0-9a-f]+)\.([0-9a-f]+) (\d+)-(\d+)(?: ([\d,]+))?$/.exec(metadataValue ?? '');
    const batchNumber = metadataId - COMMIT_ENTRY_ID_BASE;
    if (parts === null) entries.push({ batchNumber, epoch: '', batchId: '', first: 0, last: 0, leftOut: [] });
    else {
      const leftOut = parts[5] === undefined ? [] : parts[5].split(',').map(Number);
      entries.push({ batchNumber, epoch: parts[1], batchId: parts[2], first: Number(parts[3]), last: Number(parts[4]), leftOut });
    }
  }
  return entries.sort((a, b) => a.batchNumber - b.batchNumber);
}

/** The last number of the log that a spreadsheet with these entries contains. Entries of a log that Redis has lost do not count. */
export function containedThrough(entries: readonly CommitEntry[], epoch: string): number {
  return entries.reduce((through, entry) => (entry.epoch === epoch && epoch !== '' ? Math.max(through, entry.last) : through), 0);
}

import fc from 'fast-check';
import {
  commitEntryId,
  commitEntryValue,
  COMMIT_ENTRY_KEY,
  COMMIT_ENTRY_VALUE_MAX,
  containedThrough,
  readCommitEntries,
  type CommitEntry,
} from './commit-entry';

const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((characters) => characters.join(''));

const entry = (over: Partial<CommitEntry> = {}): CommitEntry => ({
  batchNumber: 1,
  epoch: 'aa',
  batchId: 'bb',
  first: 1,
  last: 5,
  leftOut: [],
  ...over,
});

const asMetadata = (of: CommitEntry): { metadataId: number; metadataKey: string; metadataValue: string | undefined } => ({
  metadataId: commitEntryId(of.batchNumber),
  metadataKey: COMMIT_ENTRY_KEY,
  metadataValue: commitEntryValue(of),
});

describe('commit entries', () => {
  it('say the same after a round trip through the spreadsheet, or a batch would be taken for another', () => {
    fc.assert(
      fc.property(
        fc.record({
          batchNumber: fc.integer({ min: 1, max: 1_000_000_000 }),
          epoch: hex(8),
          batchId: hex(12),
          first: fc.integer({ min: 1, max: 10 ** 12 }),
          last: fc.integer({ min: 1, max: 10 ** 12 }),
          leftOut: fc.array(fc.integer({ min: 1, max: 10 ** 12 }), { maxLength: 8 }),
        }),
        (written) => expect(readCommitEntries([asMetadata(written)])).toEqual([written]),
      ),
    );
  });

  it('never grow past 200 characters, since all entries of a spreadsheet share a small budget', () => {
    const leftOutBy = (count: number): number[] => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    const lengths = Array.from({ length: 40 }, (_, count) => commitEntryValue(entry({ leftOut: leftOutBy(count) }))?.length);
    const fitting = lengths.filter((length) => length !== undefined);
    expect(Math.max(...fitting)).toBeLessThanOrEqual(COMMIT_ENTRY_VALUE_MAX);
    expect(fitting.length).toBeGreaterThan(20);
    expect(lengths.slice(fitting.length).every((length) => length === undefined)).toBe(true);
  });

  it('fit at exactly 200 characters and not at 201', () => {
    const rest = commitEntryValue(entry({ epoch: '' }))?.length ?? 0;
    expect(commitEntryValue(entry({ epoch: 'e'.repeat(COMMIT_ENTRY_VALUE_MAX - rest) }))).toHaveLength(COMMIT_ENTRY_VALUE_MAX);
    expect(commitEntryValue(entry({ epoch: 'e'.repeat(COMMIT_ENTRY_VALUE_MAX - rest + 1) }))).toBeUndefined();
  });

  it('are told apart from what others keep in the metadata of the spreadsheet', () => {
    const ours = asMetadata(entry({ batchNumber: 4 }));
    const found = readCommitEntries([
      { metadataId: commitEntryId(9), metadataKey: 'somebody-else', metadataValue: 'aa.bb 1-9' },
      { metadataId: 12, metadataKey: COMMIT_ENTRY_KEY, metadataValue: 'aa.bb 1-9' },
      ours,
    ]);
    expect(found).toEqual([entry({ batchNumber: 4 })]);
  });

  it('whose text was spoilt still hold their number: it cannot be used again', () => {
    const [found] = readCommitEntries([{ metadataId: commitEntryId(7), metadataKey: COMMIT_ENTRY_KEY, metadataValue: 'edited' }]);
    expect(found.batchNumber).toBe(7);
    expect(containedThrough([found], '')).toBe(0);
    expect(containedThrough([found], 'aa')).toBe(0);
  });

  it('are read in the order of their numbers, whatever order the service lists them in', () => {
    const listed = [3, 1, 2].map((batchNumber) => asMetadata(entry({ batchNumber })));
    expect(readCommitEntries(listed).map(({ batchNumber }) => batchNumber)).toEqual([1, 2, 3]);
  });

  it('of a log that Redis has lost do not make new writes of the same numbers look contained', () => {
    const entries = [
      entry({ batchNumber: 1, epoch: 'ee', last: 900 }),
      entry({ batchNumber: 2, epoch: 'aa', last: 7 }),
      entry({ batchNumber: 3, epoch: 'aa', last: 5 }),
    ];
    expect(containedThrough(entries, 'aa')).toBe(7);
    expect(containedThrough(entries, 'cc')).toBe(0);
    expect(containedThrough([], 'aa')).toBe(0);
  });
});

import { BASE, batch, entry, ID, send, useMock } from '../testing/mock-under-test';

useMock();

describe('data filters', () => {
  it('sorts, merges and echoes as the service does', async () => {
    const { json } = await send('POST', `${BASE}/values:batchGetByDataFilter`, {
      dataFilters: [{ a1Range: 'orders!B2' }, { gridRange: { sheetId: 0, startRowIndex: 1, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 1 } }, { a1Range: 'orders!A2' }], // prettier-ignore
    });
    expect(json).toEqual({
      spreadsheetId: ID,
      valueRanges: [
        {
          valueRange: { range: 'orders!A2', majorDimension: 'ROWS', values: [['ORD-0001']] },
          dataFilters: [
            { gridRange: { startRowIndex: 1, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 1 } },
            { a1Range: 'orders!A2' },
          ],
        },
        {
          valueRange: { range: 'orders!B2', majorDimension: 'ROWS', values: [['Kavya Rao']] },
          dataFilters: [{ a1Range: 'orders!B2' }],
        },
      ],
    });
  });

  it('finds metadata by key, and all of it by an empty lookup', async () => {
    await batch([entry(11), entry(12)]);
    const search = async (lookup: object) =>
      ((await send('POST', `${BASE}/developerMetadata:search`, { dataFilters: [{ developerMetadataLookup: lookup }] })).json as { matchedDeveloperMetadata?: unknown[] }).matchedDeveloperMetadata?.length; // prettier-ignore
    expect(await search({})).toBe(2);
    expect(await search({ metadataId: 12 })).toBe(1);
    expect(await search({ metadataKey: 'other' })).toBeUndefined();
  });
});

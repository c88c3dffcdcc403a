import { batch, entry, get, useMock, values } from '../testing/mock-under-test';

useMock();

describe('the spreadsheet of a fresh mock', () => {
  it('has 100 orders and the customers', async () => {
    expect(await values('orders!A:G')).toHaveLength(101);
    expect((await values('orders!A1:G2'))?.[0]).toEqual(['id', 'customer', 'item', 'quantity', 'price', 'status', 'ordered_at']);
    expect((await values('customers'))?.[0]).toEqual(['id', 'name', 'email', 'city', 'since']);
  });

  it('gives cells and metadata in one answer, and no more than the mask names', async () => {
    await batch([entry(1_000_000_001)]);
    const fields =
      'sheets(properties(sheetId,title),data(rowData(values(effectiveValue,userEnteredValue,formattedValue)))),developerMetadata(metadataId,metadataKey,metadataValue)';
    const { json } = await get(
      `?fields=${encodeURIComponent(fields)}&ranges=${encodeURIComponent("'orders'!A1:D2")}&prettyPrint=false`,
    );
    expect(json).toEqual({
      sheets: [
        {
          properties: { sheetId: 0, title: 'orders' },
          data: [{ rowData: [{ values: expect.any(Array) as unknown }, { values: expect.any(Array) as unknown }] }],
        },
      ],
      developerMetadata: [{ metadataId: 1_000_000_001, metadataKey: 'k', metadataValue: 'v' }],
    });
    const quantity = (json as { sheets: { data: { rowData: { values: object[] }[] }[] }[] }).sheets[0]?.data[0]?.rowData[1]
      ?.values[3];
    expect(quantity).toEqual({ userEnteredValue: { numberValue: 5 }, effectiveValue: { numberValue: 5 }, formattedValue: '5' });
  });
});

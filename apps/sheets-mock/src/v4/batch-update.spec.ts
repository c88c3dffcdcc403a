import { append, batch, entry, get, send, updateAt, useMock, values } from '../testing/mock-under-test';

useMock();

describe('spreadsheets.batchUpdate', () => {
  it('applies all of a batch or nothing, and names the request at fault', async () => {
    const before = await get('?includeGridData=true');
    const { status, json } = await batch([
      append('ORD-X'),
      updateAt(0, 'x'),
      { deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 0, endIndex: 50 } } },
      entry(1),
      updateAt(999_999, 'x'),
    ]);
    expect(status).toBe(400);
    expect(json).toEqual({
      error: { code: 400, message: 'Invalid requests[4].updateCells: No grid with id: 999999', status: 'INVALID_ARGUMENT' },
    });
    expect((await get('?includeGridData=true')).text).toBe(before.text);
  });

  it('appends below the last row with data and tells where, growing the grid', async () => {
    await batch([
      {
        updateSheetProperties: {
          properties: { sheetId: 0, gridProperties: { rowCount: 101 } },
          fields: 'gridProperties.rowCount',
        },
      },
    ]);
    const { json } = await batch([append('ORD-0101', 'Ada'), append('ORD-0102', 'Bo')], {
      includeSpreadsheetInResponse: true,
      responseIncludeGridData: true,
      responseRanges: ["'orders'!A102:A103"],
    });
    const { updatedSpreadsheet, replies } = json as { updatedSpreadsheet: { sheets: any[] }; replies: unknown[] }; // eslint-disable-line @typescript-eslint/no-explicit-any
    expect(replies).toEqual([{}, {}]);
    expect(updatedSpreadsheet.sheets).toHaveLength(1);
    expect(updatedSpreadsheet.sheets[0]).toMatchObject({
      properties: { gridProperties: { rowCount: 103 } },
      data: [
        { startRow: 101, rowData: [{ values: [{ formattedValue: 'ORD-0101' }] }, { values: [{ formattedValue: 'ORD-0102' }] }] },
      ],
    });
    expect(await values('orders!A102:B')).toEqual([
      ['ORD-0101', 'Ada'],
      ['ORD-0102', 'Bo'],
    ]);
  });

  it('clears a cell that is empty where the mask names its value, and leaves other fields alone', async () => {
    await batch([
      { repeatCell: { range: { startRowIndex: 1, endRowIndex: 2, endColumnIndex: 2 }, cell: { note: 'kept' }, fields: 'note' } },
    ]);
    await batch([{ updateCells: { start: { rowIndex: 1 }, rows: [{ values: [{}, { userEnteredValue: { numberValue: 7 } }] }], fields: 'userEnteredValue' } }]); // prettier-ignore
    const { json } = await get('?ranges=orders!A2:C2&fields=sheets.data.rowData.values(formattedValue,note)');
    expect(json).toEqual({
      sheets: [{ data: [{ rowData: [{ values: [{ note: 'kept' }, { formattedValue: '7', note: 'kept' }, { formattedValue: 'Espresso beans 1 kg' }] }] }] }], // prettier-ignore
    });
  });

  it('refuses a metadata id that is taken, unless it is told not to', async () => {
    const id = 1_000_000_001;
    expect((await batch([entry(id)])).status).toBe(200);
    const clash = await batch([append('never'), entry(id)]);
    expect(clash.json).toMatchObject({
      error: {
        code: 400,
        message: `Invalid requests[1].createDeveloperMetadata: Developer metadata with id ${id} already exists.`,
      },
    });
    expect(await values('orders!A102')).toBeUndefined();
    expect((await get(`/developerMetadata/${id}`)).json).toMatchObject({ metadataId: id, metadataValue: 'v' });
    await send('PUT', '/control/faults', { acceptClashingMetadataIds: true });
    expect((await batch([entry(id)])).status).toBe(200);
  });

  it('lets metadata of a row follow its row', async () => {
    const dimensionRange = { sheetId: 0, dimension: 'ROWS', startIndex: 5, endIndex: 6 };
    await batch([
      {
        createDeveloperMetadata: {
          developerMetadata: { metadataId: 3, metadataKey: 'row', location: { dimensionRange }, visibility: 'DOCUMENT' },
        },
      },
    ]);
    await batch([
      { insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 0, endIndex: 2 } } },
      { moveDimension: { source: { sheetId: 0, dimension: 'ROWS', startIndex: 7, endIndex: 8 }, destinationIndex: 20 } },
    ]);
    expect((await get('/developerMetadata/3')).json).toMatchObject({
      location: { dimensionRange: { startIndex: 19, endIndex: 20 } },
    });
    await batch([{ deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 19, endIndex: 20 } } }]);
    expect((await get('/developerMetadata/3')).status).toBe(404);
  });

  it('takes batches of 2,000 appended rows in well under a second of work each, on a sheet of 20,000', async () => {
    const cells = Array.from({ length: 10 }, (_, column) => ({ userEnteredValue: { stringValue: `value ${column}` } }));
    const requests = Array.from({ length: 2_000 }, () => ({
      appendCells: { sheetId: 0, rows: [{ values: cells }], fields: 'userEnteredValue' },
    }));
    const begun = process.cpuUsage();
    for (let round = 0; round < 10; round += 1) expect((await batch(requests)).status).toBe(200);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1_000 / 10).toBeLessThan(1_000);
    expect(await values('orders!A20101:A')).toEqual([['value 0']]);
  });
});

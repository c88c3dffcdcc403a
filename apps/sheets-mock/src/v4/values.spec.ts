import { BASE, batch, ID, send, useMock, values } from '../testing/mock-under-test';

useMock();

describe('values', () => {
  it('appends with the body that the service gives, and reads back what it wrote', async () => {
    const path = `${BASE}/values/${encodeURIComponent("'orders'!A1:G1")}:append?valueInputOption=USER_ENTERED&includeValuesInResponse=true`;
    const { json } = await send('POST', path, { values: [['ORD-0101', 'Ada', 'Mug', '2', '$11.50']] });
    expect(json).toEqual({
      spreadsheetId: ID,
      tableRange: 'orders!A1:G101',
      updates: {
        spreadsheetId: ID,
        updatedRange: 'orders!A102:E102',
        updatedRows: 1,
        updatedColumns: 5,
        updatedCells: 5,
        updatedData: { range: 'orders!A102:E102', majorDimension: 'ROWS', values: [['ORD-0101', 'Ada', 'Mug', '2', '$11.50']] },
      },
    });
  });

  it('inserts rows and moves what is below, with INSERT_ROWS', async () => {
    await batch([{ addSheet: { properties: { sheetId: 5, title: 't' } } }]);
    await send('POST', `${BASE}/values:batchUpdate`, {
      valueInputOption: 'RAW',
      data: [
        { range: 't!A1', values: [['a'], ['b'], ['c']] },
        { range: 't!A5', values: [['z']] },
      ],
    });
    await send('POST', `${BASE}/values/t!A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS`, {
      values: [['d'], ['e']],
    });
    expect(await values('t')).toEqual([['a'], ['b'], ['c'], ['d'], ['e'], [], ['z']]);
  });

  it('leaves a cell alone for null and clears it for an empty text', async () => {
    await send('PUT', `${BASE}/values/orders!A2:C2?valueInputOption=RAW`, { values: [[null, '', 'Tea']] });
    expect(await values('orders!A2:C2')).toEqual([['ORD-0001', '', 'Tea']]);
  });

  it.each([
    ['PUT', '/values/orders!A1', {}, "'valueInputOption' is required but not specified"],
    ['PUT', '/values/orders!A1:B1?valueInputOption=RAW', { values: [['a', 'b', 'c']] }, 'Requested writing within range [orders!A1:B1], but tried writing to column [C]'],
    ['PUT', '/values/orders!A1?valueInputOption=RAW', { range: 'orders!A2' }, "Request range[orders!A1] does not match value's range[orders!A2]"],
    ['POST', '/values:batchUpdate', { valueInputOption: 'RAW', data: [{ range: 'orders!A1' }, { range: 'nope!A1' }] }, 'Invalid data[1]: Unable to parse range: nope!A1'],
    ['POST', '/values:batchClear', { ranges: ['orders!A5000'] }, 'Invalid range[0]: Range (orders!A5000) exceeds grid limits. Max rows: 1000, max columns: 26'],
    ['GET', '/values/nope!A1', undefined, 'Unable to parse range: nope!A1'],
  ])('%s %s with %j is refused in the words of the service', async (method, path, body, message) => {
    const { status, json } = await send(method, BASE + path, body);
    expect([status, json]).toEqual([400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]);
  }); // prettier-ignore

  it('works out formulas', async () => {
    await send('PUT', `${BASE}/values/orders!I1:J1?valueInputOption=USER_ENTERED`, { values: [['=SUM(D2:D3)*2', '=1/0']] });
    expect(await values('orders!I1:J1?valueRenderOption=UNFORMATTED_VALUE')).toEqual([[16, '#DIV/0!']]);
    expect(await values('orders!I1:J1?valueRenderOption=FORMULA')).toEqual([['=SUM(D2:D3)*2', '=1/0']]);
  });
});

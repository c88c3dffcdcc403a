import { BASE, batch, faults, get, send, useMock } from '../testing/mock-under-test';

useMock();

describe('the wire', () => {
  it('is pretty unless told otherwise, and errors always are', async () => {
    expect((await get('/values/orders!A1')).text).toBe('{\n  "range": "orders!A1",\n  "majorDimension": "ROWS",\n  "values": [\n    [\n      "id"\n    ]\n  ]\n}\n'); // prettier-ignore
    expect((await get('/values/orders!A1?prettyPrint=false')).text).toBe(
      '{"range":"orders!A1","majorDimension":"ROWS","values":[["id"]]}',
    );
    expect((await get('/values/nope?prettyPrint=false')).text).toContain('\n  "error"');
  });

  it('escapes the characters that the service escapes', async () => {
    await send('PUT', `${BASE}/values/orders!A1?valueInputOption=RAW`, { values: [['<b>&é\u200b']] });
    expect((await get('/values/orders!A1?prettyPrint=false')).text).toContain('"\\u003cb\\u003e&é\\u200b"');
  });

  it('says what is wrong: unknown spreadsheet, unknown route, unknown request', async () => {
    expect((await send('GET', '/v4/spreadsheets/nope')).json).toEqual({
      error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' },
    });
    for (const path of ['/control/nope', '/v4/nope', '/']) {
      const { status, json } = await send('GET', path);
      expect([status, (json as { error: { message: string } }).error.message]).toEqual([
        404,
        expect.stringContaining(`GET ${path}.`),
      ]);
    }
    expect((await batch([{ addChart: {} }])).json).toMatchObject({ error: { code: 501, status: 'UNIMPLEMENTED' } });
  });

  it('tells what a control body lacks', async () => {
    const { status, json } = await faults({ fault: 'boom' });
    expect(status).toBe(400);
    expect((json as { error: { message: string } }).error.message).toContain('rules.0.fault must be one of');
  });
});

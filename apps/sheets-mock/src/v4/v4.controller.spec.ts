import { BASE, batch, faults, get, messageOf, send, useMock } from '../testing/mock-under-test';

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

  it('wraps an answer in a callback, whose status is always 200', async () => {
    const { status, text } = await get('/values/nope?callback=cb');
    expect([status, text.slice(0, 22), text.slice(-4)]).toEqual([200, '// API callback\ncb({\n ', '}\n);']);
    expect((await get('/values/orders!A1?callback=a b')).text).toContain("Invalid JSONP callback name: 'a b'");
  });

  it('adds the older array of errors where it is asked for, or where a Google client calls', async () => {
    const errors = [{ message: 'Unable to parse range: nope', domain: 'global', reason: 'badRequest' }];
    expect((await get('/values/nope?$.xgafv=1')).json).toMatchObject({ error: { errors } });
    expect((await get('/values/nope', { 'x-goog-api-client': 'gdcl/8.0.3 gl-node/20' })).json).toMatchObject({
      error: { errors },
    });
    expect((await get('/values/nope')).json).not.toHaveProperty('error.errors');
  });

  it.each([
    ['alt=media', 'Unsupported alt type "media" for non byte stream request.'],
    ['alt=NOPE', 'Invalid value "NOPE" for query parameter \'alt\''],
    [
      'majorDimension=DIAGONAL',
      'Invalid value at \'major_dimension\' (type.googleapis.com/google.apps.sheets.v4.Dimension), "DIAGONAL"',
    ],
    [
      'data=1',
      'Invalid JSON payload received. Unknown name "data": Cannot bind query parameter. Field \'data\' could not be found in request message.',
    ],
  ])('refuses the query %s', async (query, message) => expect(messageOf(await get(`/values/orders!A1?${query}`))).toBe(message));

  it('issues a token for each service account, so that each is one user', async () => {
    const assertion = ['e30', Buffer.from(JSON.stringify({ iss: 'robot@example.com' })).toString('base64url'), 'x'].join('.');
    const { json } = await send('POST', '/token', new URLSearchParams({ grant_type: 'jwt', assertion }));
    const { access_token: accessToken, ...more } = json as { access_token: string };
    expect(more).toEqual({ expires_in: 3_599, token_type: 'Bearer' });
    // Another token of the same account is the same user: its one place is taken.
    const again = (await send('POST', '/token', new URLSearchParams({ grant_type: 'jwt', assertion }))).json;
    await send('PUT', '/control/quota', { model: 'google', userLimit: 1 });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await get('', bearer(accessToken))).status).toBe(200);
    expect((await get('', bearer((again as { access_token: string }).access_token))).status).toBe(429);
  });
});

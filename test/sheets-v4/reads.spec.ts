import { startStack, type Stack } from '@app/local-stack';
import { Client, Upstream, type Answer } from '../support/client';

const ID = '/v4/spreadsheets/mock-spreadsheet';
const at = (range: string): string => encodeURIComponent(range);

/** Each is asked of the service itself and of the gateway, in both modes; the answers must be equal. */
type Read = [method: 'GET' | 'POST', path: string, body?: unknown];

const READS: Read[] = [
  ['GET', `${ID}/values/${at('orders!A1:C3')}`],
  ['GET', `${ID}/values/${at("'orders'!A1:C3")}?valueRenderOption=UNFORMATTED_VALUE&majorDimension=COLUMNS`],
  ['GET', `${ID}/values/orders!A99:Z`],
  ['GET', `${ID}/values/orders?prettyPrint=false`],
  ['GET', `${ID}/values/${at('types!A1:J9')}`],
  ['GET', `${ID}/values/${at('types!A1:J9')}?valueRenderOption=UNFORMATTED_VALUE`],
  ['GET', `${ID}/values/${at('types!A1:J9')}?valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING`],
  ['GET', `${ID}/values/${at('types!A1:J9')}?valueRenderOption=FORMULA`],
  ['GET', `${ID}/values/${at('It’s: a/b!A1:B2')}`],
  ['GET', `${ID}/values/the_types`],
  ['GET', `${ID}/values/A1`],
  ['GET', `${ID}/values/${at('orders!A1:B2')}?fields=values`],
  ['GET', `${ID}/values/${at('nope!A1')}`],
  ['GET', `${ID}/values/${at('orders!A5000')}`],
  ['GET', `${ID}/values/${at('orders!A1')}?majorDimension=sideways`],
  ['GET', `${ID}/values:batchGet?ranges=${at('orders!A1:B2')}&ranges=${at('types!A1:A3')}&majorDimension=COLUMNS`],
  ['GET', `${ID}/values:batchGet?ranges=${at('orders!A1:B2')}&ranges=nope`],
  ['GET', ID],
  ['GET', `${ID}/?fields=sheets.properties(title,gridProperties.rowCount),namedRanges`],
  ['GET', `${ID}?fields=nope`],
  ['GET', `${ID}?ranges=${at('types!A1:B2')}`],
  [
    'GET',
    `${ID}?fields=sheets(properties.title,data.rowData.values(formattedValue,userEnteredValue,effectiveValue))&ranges=${at('types!A1:J9')}`,
  ],
  ['POST', `${ID}:getByDataFilter`, { dataFilters: [{ gridRange: { startRowIndex: 0, endRowIndex: 2 } }] }],
  [
    'POST',
    `${ID}/values:batchGetByDataFilter`,
    { dataFilters: [{ a1Range: 'orders!A1:B2' }, { gridRange: { endRowIndex: 1 } }] },
  ],
  ['POST', `${ID}/developerMetadata:search`, { dataFilters: [{ developerMetadataLookup: { metadataKey: 'mine' } }] }],
  ['GET', `${ID}/developerMetadata/77`],
  ['GET', `${ID}/developerMetadata/78`],
  ['GET', '/v4/spreadsheets/no-such-spreadsheet/values/A1'],
];

describe('reads of the Sheets v4 surface', () => {
  let stack: Stack;
  let gateway: Client;
  let service: Client;
  let upstream: Upstream;
  const ask = (client: Client, [method, path, body]: Read): Promise<Answer> =>
    method === 'GET' ? client.get(path) : client.post(path, body);

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '200' },
    });
    gateway = new Client(stack.gateways[0].baseUrl);
    service = new Client(stack.mock.baseUrl, { 'X-Mock-Uncounted': '1' });
    upstream = new Upstream(stack.mock.baseUrl);
    await upstream.edit([
      { addSheet: { properties: { sheetId: 5, title: 'types', gridProperties: { rowCount: 20, columnCount: 12 } } } },
      { addSheet: { properties: { sheetId: 6, title: 'It’s: a/b' } } },
      {
        addNamedRange: {
          namedRange: {
            name: 'the_types',
            range: { sheetId: 5, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 4 },
          },
        },
      },
      {
        mergeCells: {
          range: { sheetId: 6, startRowIndex: 3, endRowIndex: 5, startColumnIndex: 0, endColumnIndex: 2 },
          mergeType: 'MERGE_ALL',
        },
      },
      {
        createDeveloperMetadata: {
          developerMetadata: {
            metadataId: 77,
            metadataKey: 'mine',
            metadataValue: 'v',
            location: { sheetId: 5 },
            visibility: 'DOCUMENT',
          },
        },
      },
    ]);
    const typed = [
      ['=1+1', '=A1*2', '="x"&"y"', '=1/0', '1/2/2026', '12:30', '2026-01-02 10:00', '$5', '50%', '1,234.5'],
      [0.1, 0.30000000000000004, 1e21, -5, true, false, '00731', "'=no", 'a\nb', '😀'],
      ['', '', 'x'],
    ];
    const path = `${ID}/values/${at('types!A1')}?valueInputOption=USER_ENTERED`;
    expect((await service.put(path, { values: typed })).status).toBe(200);
  }, 60_000);
  afterAll(() => stack?.stop());

  it.each(READS)('direct: %s %s is answered as the service answers it', async (...read: Read) => {
    const [expected, got] = [await ask(service, read), await ask(gateway, read)];
    expect([got.status, got.body]).toEqual([expected.status, expected.body]);
    expect(got.headers.get('content-type')).toBe(expected.headers.get('content-type'));
    expect(got.headers.get('x-system-degraded')).toBe('false');
  });

  it('degraded: the same from the copy', async () => {
    while ((await gateway.get(`${ID}/values/A1`)).headers.get('x-system-degraded') === 'false');
    for (const read of READS.filter(([, path]) => !path.includes('nope') && !path.includes('no-such'))) {
      const [expected, got] = [await ask(service, read), await ask(gateway, read)];
      expect([read, got.status, got.body]).toEqual([read, expected.status, expected.body]);
      if (got.status === 200) {
        expect([read, got.headers.get('x-system-degraded'), got.headers.get('x-data-source')]).toEqual([
          read,
          'true',
          'snapshot',
        ]);
      }
    }
  });
});

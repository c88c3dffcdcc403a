import { spreadsheet } from '../schemas/spreadsheet';
import { ApiError } from './api-error';
import { applyMask, checkMask, maskNames, parseMask } from './field-mask';

const answer = {
  spreadsheetId: 'ID',
  properties: { title: 'T' },
  sheets: [
    {
      properties: { sheetId: 0, title: 'a', index: 0 },
      data: [{ rowData: [{ values: [{ note: 'n', formattedValue: '1' }, {}] }, {}] }],
    },
    { properties: { sheetId: 1, title: 'b', index: 1 } },
  ],
  developerMetadata: [{ metadataId: 7, metadataKey: 'k', visibility: 'DOCUMENT' }],
};

describe('a field mask', () => {
  it.each<[string, unknown]>([
    ['spreadsheetId', { spreadsheetId: 'ID' }],
    ['sheets.properties.title', { sheets: [{ properties: { title: 'a' } }, { properties: { title: 'b' } }] }],
    ['sheets/properties/title,', { sheets: [{ properties: { title: 'a' } }, { properties: { title: 'b' } }] }],
    [
      'sheets(properties(sheetId,title),data(rowData(values(formattedValue)))),developerMetadata(metadataId,metadataKey)',
      {
        sheets: [
          { properties: { sheetId: 0, title: 'a' }, data: [{ rowData: [{ values: [{ formattedValue: '1' }, {}] }, {}] }] },
          { properties: { sheetId: 1, title: 'b' } },
        ],
        developerMetadata: [{ metadataId: 7, metadataKey: 'k' }],
      },
    ],
    ['sheets.properties.hidden', { sheets: [{ properties: {} }, { properties: {} }] }],
    ['namedRanges', {}],
    ['*', answer],
  ])('%s keeps what it names', (mask, kept) => {
    const parsed = parseMask(mask);
    checkMask(parsed, spreadsheet);
    expect(applyMask(parsed, answer)).toEqual(kept);
  });

  it.each([
    ['sheets.sheetProperties', 'sheets.sheetProperties'],
    ['sheets(properties(nope))', 'sheets.properties.nope'],
    ['Sheets', 'Sheets'],
  ])('%s is refused with the path that does not exist', (mask, path) => {
    const check = () => checkMask(parseMask(mask), spreadsheet);
    expect(check).toThrow('Request contains an invalid argument.');
    let error: unknown;
    try {
      check();
    } catch (thrown) {
      error = thrown;
    }
    expect((error as ApiError).details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          { field: path, description: `Error expanding 'fields' parameter. Cannot find matching fields for path '${path}'.` },
        ],
      },
    ]);
  });

  it.each([
    ['sheets.data.rowData', true],
    ['sheets', true],
    ['sheets.properties', false],
    ['*', true],
  ])('%s asks for cells: %s', (mask, asks) => expect(maskNames(parseMask(mask), 'sheets', 'data')).toBe(asks));

  it.each(['sheets(', 'sheets)', 'a..b', '(a)'])('%s is refused, not misread', (mask) =>
    expect(() => parseMask(mask)).toThrow(ApiError),
  );
});

import { batchUpdateBody } from '../schemas/batch-update';
import { searchBody } from '../schemas/data-filter';
import { valueRange } from '../schemas/values';
import { type ApiError } from './api-error';
import { parseMessage } from './proto-json';
import type { MessageType } from './schema';

function refusal(type: MessageType, json: unknown, root?: string): string {
  try {
    parseMessage(type, json, root);
  } catch (error) {
    return (error as ApiError).message;
  }
  return 'accepted';
}

describe('a body is read as the service reads it', () => {
  it('takes snake case, numbers as text, single objects for lists, and null for nothing', () => {
    const json = { requests: { delete_sheet: { sheet_id: '12' } }, include_spreadsheet_in_response: null };
    expect(parseMessage(batchUpdateBody, json)).toEqual({ requests: [{ deleteSheet: { sheetId: 12 } }] });
    expect(parseMessage(batchUpdateBody, { requests: [null, [{ deleteSheet: { sheetId: { value: 3 } } }]] })).toEqual({
      requests: [{ deleteSheet: { sheetId: 3 } }],
    });
  });

  it.each<[string, MessageType, unknown, string]>([
    ['an unknown name', batchUpdateBody, { bogus: 1 }, 'Invalid JSON payload received. Unknown name "bogus": Cannot find field.'],
    [
      'an unknown request',
      batchUpdateBody,
      { requests: [{ frobnicate: {} }] },
      'Invalid JSON payload received. Unknown name "frobnicate" at \'requests[0]\': Cannot find field.',
    ],
    [
      'a request that is a text',
      batchUpdateBody,
      { requests: ['repeatCell'] },
      'Invalid value at \'requests[0]\' (type.googleapis.com/google.apps.sheets.v4.BatchUpdateSpreadsheetRequest.Request), "repeatCell"',
    ],
    ['no object', batchUpdateBody, [], 'Invalid JSON payload received. Unknown name "": Root element must be a message.'],
    [
      'a number that is none',
      searchBody,
      { dataFilters: [{ gridRange: { startRowIndex: 'abc' } }] },
      'Invalid value at \'data_filters[0].grid_range.start_row_index.value\' (TYPE_INT32), "abc"',
    ],
    [
      'two filters in one',
      searchBody,
      { dataFilters: [{ a1Range: 'A1', gridRange: {} }] },
      "Invalid value at 'data_filters[0]' (oneof), oneof field 'filter' is already set. Cannot set 'gridRange'",
    ],
  ])('refuses %s', (_what, type, json, message) => expect(refusal(type, json)).toBe(message));

  it('names the fields of a written ValueRange under data', () => {
    const message = (path: string) => `Invalid value at '${path}' (type.googleapis.com/google.protobuf.ListValue), "X"`;
    expect(refusal(valueRange, { values: 'X' }, 'data')).toBe(message('data.values'));
    expect(refusal(valueRange, { values: ['X'] }, 'data')).toBe(message('data.values[0]'));
    expect(refusal(valueRange, { majorDimension: 'DIAGONAL' }, 'data')).toBe(
      'Invalid value at \'data.major_dimension\' (type.googleapis.com/google.apps.sheets.v4.Dimension), "DIAGONAL"',
    );
  });

  it('tells all refusals of a body at once', () => {
    expect(refusal(batchUpdateBody, { bogus: 1, responseIncludeGridData: 'maybe' }).split('\n')).toHaveLength(2);
  });
});

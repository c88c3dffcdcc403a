/** Bodies and answers of the `values` methods. */
import { any, bool, enumeration, int32, list, listValue, message, string } from '../wire/schema';
import { dataFilter } from './data-filter';

export const dimension = enumeration('Dimension', 'DIMENSION_UNSPECIFIED', 'ROWS', 'COLUMNS');
export const valueRenderOption = enumeration('ValueRenderOption', 'FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA');
export const dateTimeRenderOption = enumeration('DateTimeRenderOption', 'SERIAL_NUMBER', 'FORMATTED_STRING');
export const valueInputOption = enumeration('ValueInputOption', 'INPUT_VALUE_OPTION_UNSPECIFIED', 'RAW', 'USER_ENTERED');
export const insertDataOption = enumeration('InsertDataOption', 'OVERWRITE', 'INSERT_ROWS');

export const valueRange = message('ValueRange', { range: string, majorDimension: dimension, values: list(listValue) });

const renderOptions = { majorDimension: dimension, valueRenderOption, dateTimeRenderOption };
const responseOptions = {
  includeValuesInResponse: bool,
  responseValueRenderOption: valueRenderOption,
  responseDateTimeRenderOption: dateTimeRenderOption,
};

export const getQuery = renderOptions;
export const batchGetQuery = { ranges: list(string), ...renderOptions };
export const updateQuery = { valueInputOption, ...responseOptions };
export const appendQuery = { valueInputOption, insertDataOption, ...responseOptions };

export const clearBody = message('ClearValuesRequest', {});
export const batchClearBody = message('BatchClearValuesRequest', { ranges: list(string) });
export const batchUpdateBody = message('BatchUpdateValuesRequest', {
  valueInputOption,
  data: list(valueRange),
  ...responseOptions,
});
export const batchGetByDataFilterBody = message('BatchGetValuesByDataFilterRequest', {
  dataFilters: list(dataFilter),
  ...renderOptions,
});
export const batchClearByDataFilterBody = message('BatchClearValuesByDataFilterRequest', { dataFilters: list(dataFilter) });
export const dataFilterValueRange = message('DataFilterValueRange', {
  dataFilter,
  majorDimension: dimension,
  values: list(listValue),
});
export const batchUpdateByDataFilterBody = message('BatchUpdateValuesByDataFilterRequest', {
  valueInputOption,
  data: list(dataFilterValueRange),
  ...responseOptions,
});

const counts = { updatedRange: string, updatedRows: int32, updatedColumns: int32, updatedCells: int32 };
const totals = { totalUpdatedRows: int32, totalUpdatedColumns: int32, totalUpdatedCells: int32, totalUpdatedSheets: int32 };
const valueRangeAnswer = message('ValueRange', { range: string, majorDimension: dimension, values: any });

export const updateAnswer = message('UpdateValuesResponse', { spreadsheetId: string, ...counts, updatedData: valueRangeAnswer });
export const valueRangeResponse = valueRangeAnswer;
export const batchGetAnswer = message('BatchGetValuesResponse', { spreadsheetId: string, valueRanges: list(valueRangeAnswer) });
export const appendAnswer = message('AppendValuesResponse', { spreadsheetId: string, tableRange: string, updates: updateAnswer });
export const clearAnswer = message('ClearValuesResponse', { spreadsheetId: string, clearedRange: string });
export const batchClearAnswer = message('BatchClearValuesResponse', { spreadsheetId: string, clearedRanges: list(string) });
export const batchUpdateAnswer = message('BatchUpdateValuesResponse', {
  spreadsheetId: string,
  ...totals,
  responses: list(updateAnswer),
});
export const batchGetByDataFilterAnswer = message('BatchGetValuesByDataFilterResponse', {
  spreadsheetId: string,
  valueRanges: list(message('MatchedValueRange', { valueRange: valueRangeAnswer, dataFilters: any })),
});
export const batchUpdateByDataFilterAnswer = message('BatchUpdateValuesByDataFilterResponse', {
  spreadsheetId: string,
  ...totals,
  responses: list(message('UpdateValuesByDataFilterResponse', { ...counts, dataFilter: any, updatedData: valueRangeAnswer })),
});

/** The methods of the API that the mock serves: how each is addressed, counted, described and carried out. */
import type { Answer, Call } from './call';
import { batchClearByDataFilter, batchGetByDataFilter, batchUpdateByDataFilter, getByDataFilter } from './methods/by-data-filter';
import { batchUpdate } from './methods/batch-update';
import { getMetadata, searchMetadata } from './methods/metadata';
import { copySheet, createSpreadsheet, getSpreadsheet } from './methods/spreadsheets';
import { batchGetValues, getValues } from './methods/values-read';
import { appendValues, batchClearRanges, batchUpdateValues, clearRange, updateValues } from './methods/values-write';
import * as batch from '../schemas/batch-update';
import * as filters from '../schemas/data-filter';
import * as sheets from '../schemas/spreadsheet';
import * as values from '../schemas/values';
import type { QuerySchema } from '../wire/query';
import type { MessageType } from '../wire/schema';

export interface Method {
  /** How it is addressed: verb, resource, what follows a colon. */
  readonly key: string;
  readonly access: 'read' | 'write';
  readonly query?: QuerySchema;
  readonly body?: MessageType;
  /** Where the body is the ValueRange of the request, refusals name its fields under `data`. */
  readonly bodyRoot?: string;
  readonly answer: MessageType;
  readonly run: (call: Call) => Answer;
}

/** By resource and verb. `ID` stands for the spreadsheet's id, `*` for the last part of the path. */
const TABLE: Readonly<Record<string, Omit<Method, 'key'>>> = {
  'POST spreadsheets': {
    access: 'write',
    body: sheets.spreadsheet,
    answer: sheets.spreadsheet,
    run: createSpreadsheet,
  },
  'GET ID': { access: 'read', query: sheets.getQuery, answer: sheets.spreadsheet, run: getSpreadsheet },
  'POST ID:batchUpdate': {
    access: 'write',
    body: batch.batchUpdateBody,
    answer: batch.batchUpdateAnswer,
    run: batchUpdate,
  },
  'POST ID/sheets/*:copyTo': {
    access: 'write',
    body: sheets.copyToBody,
    answer: sheets.sheetProperties,
    run: copySheet,
  },
  'GET ID/values/*': { access: 'read', query: values.getQuery, answer: values.valueRangeResponse, run: getValues },
  'GET ID/values:batchGet': {
    access: 'read',
    query: values.batchGetQuery,
    answer: values.batchGetAnswer,
    run: batchGetValues,
  },
  'PUT ID/values/*': {
    access: 'write',
    query: values.updateQuery,
    body: values.valueRange,
    bodyRoot: 'data',
    answer: values.updateAnswer,
    run: updateValues,
  },
  'POST ID/values/*:append': {
    access: 'write',
    query: values.appendQuery,
    body: values.valueRange,
    bodyRoot: 'data',
    answer: values.appendAnswer,
    run: appendValues,
  },
  'POST ID/values/*:clear': {
    access: 'write',
    body: values.clearBody,
    answer: values.clearAnswer,
    run: clearRange,
  },
  'POST ID/values:batchUpdate': {
    access: 'write',
    body: values.batchUpdateBody,
    answer: values.batchUpdateAnswer,
    run: batchUpdateValues,
  },
  'POST ID/values:batchClear': {
    access: 'write',
    body: values.batchClearBody,
    answer: values.batchClearAnswer,
    run: batchClearRanges,
  },
  'GET ID/developerMetadata/*': { access: 'read', answer: filters.developerMetadata, run: getMetadata },
  'POST ID/developerMetadata:search': {
    access: 'read',
    body: filters.searchBody,
    answer: filters.searchAnswer,
    run: searchMetadata,
  },
  'POST ID:getByDataFilter': {
    access: 'read',
    body: sheets.getByDataFilterBody,
    answer: sheets.spreadsheet,
    run: getByDataFilter,
  },
  'POST ID/values:batchGetByDataFilter': {
    access: 'read',
    body: values.batchGetByDataFilterBody,
    answer: values.batchGetByDataFilterAnswer,
    run: batchGetByDataFilter,
  },
  'POST ID/values:batchUpdateByDataFilter': {
    access: 'write',
    body: values.batchUpdateByDataFilterBody,
    answer: values.batchUpdateByDataFilterAnswer,
    run: batchUpdateByDataFilter,
  },
  'POST ID/values:batchClearByDataFilter': {
    access: 'write',
    body: values.batchClearByDataFilterBody,
    answer: values.batchClearAnswer,
    run: batchClearByDataFilter,
  },
};

export const METHODS: Readonly<Record<string, Method>> = Object.fromEntries(
  Object.entries(TABLE).map(([key, method]) => [key, { ...method, key }]),
);

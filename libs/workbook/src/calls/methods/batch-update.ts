import type { BatchUpdateRequest } from '@app/sheets-wire';
import { REQUEST_HANDLERS } from '../../spreadsheet/requests';
import { spreadsheetAnswer } from '../../spreadsheet/spreadsheet-answer';
import type { Transaction } from '../../spreadsheet/transaction';
import type { Answer, Call } from '../call';
import { invalid, notImplemented } from '../../wire/api-error';
import { maskedView, viewOf } from './spreadsheets';
import { inPart } from './values-write';

/** All requests in order, or none. */
export function batchUpdate(call: Call): Answer {
  const requests = (call.body['requests'] as BatchUpdateRequest[] | undefined) ?? [];
  if (requests.length === 0) throw invalid('Must specify at least one request.');
  const ranges = call.body['responseRanges'] as string[] | undefined;
  return call.edit((transaction) => {
    const replies = requests.map((request, index) => carryOut(transaction, request, index));
    const answer = { spreadsheetId: call.spreadsheetId, replies };
    if (call.body['includeSpreadsheetInResponse'] !== true) return answer;
    const book = transaction.view();
    const masked = maskedView(call.mask, call.body['responseIncludeGridData'] === true, 'updatedSpreadsheet');
    const view = { ...viewOf(book, ranges, masked.includeGridData, undefined), ...masked };
    return { ...answer, updatedSpreadsheet: spreadsheetAnswer(book, view) };
  });
}

function carryOut(transaction: Transaction, request: BatchUpdateRequest, index: number): Answer {
  const [kind] = Object.keys(request);
  if (kind === undefined) throw invalid(`Invalid requests[${index}]: No request set.`);
  const handler = REQUEST_HANDLERS[kind];
  if (!handler) throw notImplemented(`the request ${kind} of spreadsheets.batchUpdate`);
  return inPart(`Invalid requests[${index}].${kind}`, () => handler(transaction, request[kind] as never));
}

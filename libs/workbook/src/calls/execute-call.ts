/** Carries out one call: reads its query and body, runs the method, cuts the answer to its field mask. */
import type { WorkbookState } from '../spreadsheet/state';
import type { Transaction } from '../spreadsheet/transaction';
import { applyMask, checkMask, parseMask } from '../wire/field-mask';
import { parseMessage, syntaxError } from '../wire/proto-json';
import { parseQuery } from '../wire/query';
import { checkSystemParameters } from '../wire/system-parameters';
import type { Answer, Call } from './call';
import type { Route } from './route';

export interface RawCall {
  readonly route: Route;
  readonly isGet: boolean;
  readonly query: URLSearchParams;
  /** The body as JSON; asked for once the query has been found good. Throws ApiError where it is none. */
  readonly json: () => unknown;
}

/** The spreadsheets that calls are carried out on. */
export interface Books {
  /** Throws the service's 404 where there is none of that id. */
  get(spreadsheetId: string): WorkbookState;
  /** As a read sees it, which may be some time ago. */
  read(spreadsheetId: string): WorkbookState;
  /** All of `change` or, if it throws, nothing. */
  edit<T>(spreadsheetId: string, change: (transaction: Transaction) => T): T;
  create(make: (spreadsheetId: string) => WorkbookState): WorkbookState;
}

/** A call whose query and body have been read and found good. */
export type ParsedCall = Pick<Call, 'spreadsheetId' | 'range' | 'sheetId' | 'metadataId' | 'query' | 'body' | 'mask'>;

/** @throws ApiError: what the service answers to a query, body or field mask that it refuses, in the order of its checks */
export function parseCall({ route, isGet, query, json }: RawCall, spreadsheetExists: () => void = () => undefined): ParsedCall {
  const { method, spreadsheetId, last } = route;
  checkSystemParameters(query, isGet);
  const parsedQuery = parseQuery(method.query ?? {}, query);
  const body = method.body ? parseMessage(method.body, json(), method.bodyRoot) : {};
  const fields = query.get('fields') ?? '';
  const mask = fields === '' ? undefined : parseMask(fields);
  if (spreadsheetId !== '') spreadsheetExists();
  if (mask) checkMask(mask, method.answer);
  return { spreadsheetId, range: last, sheetId: Number(last), metadataId: Number(last), query: parsedQuery, body, mask };
}

export function executeCall(raw: RawCall, books: Books): Answer {
  const parsed = parseCall(raw, () => void books.get(raw.route.spreadsheetId));
  return executeParsed(raw.route, parsed, books);
}

export function executeParsed(route: Route, parsed: ParsedCall, books: Books): Answer {
  const answer = route.method.run({
    ...parsed,
    book: () => books.read(parsed.spreadsheetId),
    edit: (change) => books.edit(parsed.spreadsheetId, change),
    editOther: (id, change) => books.edit(id, change),
    create: (make) => books.create(make),
  });
  return parsed.mask ? (applyMask(parsed.mask, answer) as Answer) : answer;
}

/** An empty body stands for an empty message. */
export function parseBody(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return {};
  try {
    return JSON.parse(trimmed) as unknown;
  } catch (error) {
    throw syntaxError((error as Error).message);
  }
}

/** Carries out one call: reads its query and body, runs the method, cuts the answer to its field mask. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpreadsheetStore, type EditOptions } from '../spreadsheet/store';
import type { Answer, Call } from './call';
import type { Route } from './route';
import { applyMask, checkMask, parseMask } from './wire/field-mask';
import { parseMessage, syntaxError } from './wire/proto-json';
import { parseQuery } from './wire/query';
import { checkSystemParameters } from './wire/system-parameters';

export interface RawCall {
  readonly route: Route;
  readonly isGet: boolean;
  readonly query: URLSearchParams;
  readonly bodyText: string;
}

export interface ExecuteOptions extends EditOptions {
  /** Reads see the spreadsheet as it was then. */
  readonly asOfMs?: number;
}

@Injectable()
export class Executor {
  constructor(private readonly store: SpreadsheetStore) {}

  execute({ route, isGet, query, bodyText }: RawCall, options: ExecuteOptions): unknown {
    const { method, spreadsheetId, last } = route;
    checkSystemParameters(query, isGet);
    const parsedQuery = parseQuery(method.query ?? {}, query);
    const body = method.body ? parseMessage(method.body, parseBody(bodyText), method.bodyRoot) : {};
    const fields = query.get('fields') ?? '';
    const mask = fields === '' ? undefined : parseMask(fields);
    if (spreadsheetId !== '') this.store.get(spreadsheetId);
    if (mask) checkMask(mask, method.answer);
    const call: Call = {
      spreadsheetId,
      range: last,
      sheetId: Number(last),
      metadataId: Number(last),
      query: parsedQuery,
      body,
      mask,
      book: () =>
        options.asOfMs === undefined ? this.store.get(spreadsheetId) : this.store.getAsOf(spreadsheetId, options.asOfMs),
      edit: (change) => this.store.edit(spreadsheetId, options, change),
      editOther: (id, change) => this.store.edit(id, options, change),
      create: (make) => {
        const book = make(newSpreadsheetId());
        this.store.put(book);
        return book;
      },
    };
    const answer: Answer = method.run(call);
    return mask ? applyMask(mask, answer) : answer;
  }
}

export function parseBody(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return {};
  try {
    return JSON.parse(trimmed) as unknown;
  } catch (error) {
    throw syntaxError((error as Error).message);
  }
}

/** 44 characters that begin with a 1, like the service's own. */
function newSpreadsheetId(): string {
  return `1${randomBytes(33).toString('base64url').slice(0, 43)}`;
}

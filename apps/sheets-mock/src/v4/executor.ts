/** Carries out calls on the mock's spreadsheets. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Answer, executeCall, type RawCall } from '@app/workbook';
import { SpreadsheetStore, type EditOptions } from '../spreadsheet/store';

export interface ExecuteOptions extends EditOptions {
  /** Throws where the caller may not use that spreadsheet so. */
  readonly checkPermission?: (spreadsheetId: string, access: 'read' | 'write') => void;
  /** Reads see the spreadsheet as it was then. */
  readonly asOfMs?: number;
}

@Injectable()
export class Executor {
  constructor(private readonly store: SpreadsheetStore) {}

  execute(call: RawCall, options: ExecuteOptions): Answer {
    const { store } = this;
    return executeCall(call, {
      get: (id) => {
        const book = store.get(id);
        options.checkPermission?.(id, call.route.method.access);
        return book;
      },
      read: (id) => (options.asOfMs === undefined ? store.get(id) : store.getAsOf(id, options.asOfMs)),
      edit: (id, change) => store.edit(id, options, change),
      create: (make) => {
        const book = make(newSpreadsheetId());
        store.put(book);
        return book;
      },
    });
  }
}

/** 44 characters that begin with a 1, like the service's own. */
function newSpreadsheetId(): string {
  return `1${randomBytes(33).toString('base64url').slice(0, 43)}`;
}

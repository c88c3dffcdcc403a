/** One call to a method, parsed, and what a method may do with it. */
import type { WorkbookState } from '../spreadsheet/state';
import type { Transaction } from '../spreadsheet/transaction';
import type { MaskNode } from '../wire/field-mask';

export interface Call {
  /** Decoded parts of the path. */
  readonly spreadsheetId: string;
  readonly range: string;
  readonly sheetId: number;
  readonly metadataId: number;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly mask?: MaskNode;
  /** The spreadsheet as this call sees it. */
  book(): WorkbookState;
  edit<T>(change: (transaction: Transaction) => T): T;
  editOther<T>(spreadsheetId: string, change: (transaction: Transaction) => T): T;
  create(make: (spreadsheetId: string) => WorkbookState): WorkbookState;
}

export type Answer = Readonly<Record<string, unknown>>;

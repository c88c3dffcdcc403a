import type { Transaction } from '../transaction';

/** One kind of request: changes the spreadsheet in the making and answers its reply. */
export type RequestHandler<P> = (transaction: Transaction, request: P) => Readonly<Record<string, unknown>>;

export const NO_REPLY = {};

export * from './commit-entry';
export * from './frozen-batch';
export * from './keys';
export * from './log-overview';
export type { ReceiptPage } from './receipts';
export * from './write';
export * from './write-log';
export * from './write-values';
export * from './writer-lease';

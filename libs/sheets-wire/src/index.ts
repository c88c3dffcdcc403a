export * from './batch-update-shapes';
export * from './columns';
export * from './google-errors';
export * from './quota-errors';
export * from './ranges';
export { parseReference, type Rectangle } from './reference';
export * from './spreadsheet-shapes';
export * from './titles';

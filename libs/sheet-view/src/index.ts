export * from './columns';
export * from './fetcher';
export * from './read-errors';
export * from './sheet-reader';
export * from './sheet-view';
export * from './snapshot';
export * from './tab-directory';
export * from './view-store';

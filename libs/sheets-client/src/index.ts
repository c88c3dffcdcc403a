export * from './call-gate';
export * from './permission-error';
export * from './sheets-api';
export * from './upstream-answer';
export * from './upstream-client';
export * from './accounts';
export * from './upstream-health';
export * from './upstream-observer';

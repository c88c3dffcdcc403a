export * from './call-gate';
export * from './sheets-api';
export * from './upstream-answer';
export * from './upstream-client';
export * from './upstream-credentials';
export * from './upstream-health';
export * from './upstream-observer';

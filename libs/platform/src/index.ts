export * from './errors/coded-error';
export * from './redis/connections';
export * from './redis/lua';
export * from './redis/redis-errors';
export * from './testing/steps';
export * from './testing/switches';
export * from './time/monotonic';
export * from './time/wait';

/** Server errors that mean "not now" and not "your command is wrong": full, read-only, loading, without a master. */
const NOT_NOW = /\b(OOM|READONLY|LOADING|MISCONF|CLUSTERDOWN|MASTERDOWN|NOREPLICAS)\b/;

/** Redis has no room for what was to be written: nothing of that command was carried out. */
export function isRedisFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && /\bOOM\b/.test(error.message);
}

const CONNECTION = /Command timed out|Connection is closed|Stream isn't writeable|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT/;

/** Whether an error of ioredis or BullMQ says that Redis cannot serve now, as against a mistake of ours. */
export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ReplyError') return NOT_NOW.test(error.message);
  return error.name === 'MaxRetriesPerRequestError' || CONNECTION.test(error.message);
}

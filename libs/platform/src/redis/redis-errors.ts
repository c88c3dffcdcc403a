/** Server errors that mean "not now" and not "your command is wrong": full, read-only, loading, without a master. */
const NOT_NOW = /\b(OOM|READONLY|LOADING|MISCONF|CLUSTERDOWN|MASTERDOWN|NOREPLICAS)\b/;

const CONNECTION = /Command timed out|Connection is closed|Stream isn't writeable|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT/;

/** Whether an error of ioredis or BullMQ says that Redis cannot serve now, as against a mistake of ours. */
export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ReplyError') return NOT_NOW.test(error.message);
  return error.name === 'MaxRetriesPerRequestError' || CONNECTION.test(error.message);
}

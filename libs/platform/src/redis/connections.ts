import { Redis, type RedisOptions } from 'ioredis';

/**
 * The connections that a process needs, by how they must behave while Redis is away.
 *
 * - `request`: serves HTTP handlers. Fails at once instead of queueing, so that a handler can answer from memory or say 503.
 *   A command that was sent and not answered within `commandTimeoutMs` counts as failed, though Redis may still have run it.
 * - `worker`: serves BullMQ workers. Waits for Redis to come back, for ever: BullMQ requires `maxRetriesPerRequest: null`.
 */
export type ConnectionUse = 'request' | 'worker';

/** Longer than any script takes on a busy machine, shorter than a client's patience. */
export const COMMAND_TIMEOUT_MS = 2_000;

/** Back within a tenth of a second of Redis being back, never more than ten tries a second. */
const RECONNECT_DELAY_MAX_MS = 500;

export function redisOptions(use: ConnectionUse): RedisOptions {
  const retryStrategy = (attempt: number): number => Math.min(50 * attempt, RECONNECT_DELAY_MAX_MS);
  return use === 'request'
    ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS, retryStrategy }
    : { maxRetriesPerRequest: null, retryStrategy };
}

/** A connection to `url`; `onError` gets what ioredis would otherwise print. */
export function connectRedis(url: string, use: ConnectionUse, onError: (error: Error) => void = () => undefined): Redis {
  const redis = new Redis(url, redisOptions(use));
  redis.on('error', onError);
  return redis;
}

/** Resolves when commands can be sent. Throws after `timeoutMs` with the last connection error. */
export async function waitUntilReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  let last = 'no answer';
  const remember = (error: Error): void => void (last = error.message || String((error as NodeJS.ErrnoException).code));
  redis.on('error', remember);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Redis is not reachable within ${timeoutMs} ms: ${last}`)), timeoutMs);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    redis.off('error', remember);
  }
}

/** Ends a connection: politely where it is up, at once where it is not. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect());
  else redis.disconnect();
}

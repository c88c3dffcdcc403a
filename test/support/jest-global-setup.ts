import { startPrivateRedis, type PrivateRedis } from '@app/local-stack';

declare global {
  var privateRedis: PrivateRedis | undefined;
}

/** One private Redis for the whole run. Tests keep apart by a key prefix of their own; those that break Redis start another. */
export default async function start(): Promise<void> {
  globalThis.privateRedis = await startPrivateRedis();
  process.env.TEST_REDIS_URL = globalThis.privateRedis.url;
}

/** Redis, mock and gateways together, for tests that look at the whole. */
import { startApp, type App } from './app';
import { type Environment } from './clean-environment';
import { startPrivateRedis, type PrivateRedis } from './private-redis';

export interface StackOptions<R extends { readonly url: string }> {
  /** For every gateway, or by its number (from 0), such as `(n) => ({ ROLE: n === 0 ? 'api' : 'drain' })`. */
  readonly gatewayEnv?: Environment | ((index: number) => Environment);
  readonly mockEnv?: Environment;
  /** One that the test started and ends itself. Absent: one of the stack's own. */
  readonly redis?: R;
  readonly gateways?: number;
}

export interface Stack<R extends { readonly url: string } = PrivateRedis> {
  readonly redis: R;
  readonly mock: App;
  readonly gateways: readonly App[];
  /** Ends all that the stack started: the gateways first, since they still write to the others. */
  stop(): Promise<void>;
}

export async function startStack<R extends { readonly url: string } = PrivateRedis>(
  options: StackOptions<R> = {},
): Promise<Stack<R>> {
  const { gatewayEnv = {}, mockEnv, gateways: count = 1 } = options;
  const started: { stop(): Promise<void> }[] = [];
  const gateways: App[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    for (const part of started.reverse()) await part.stop();
  };
  try {
    let redis = options.redis;
    if (redis === undefined) {
      const own = await startPrivateRedis();
      started.push(own);
      redis = own as PrivateRedis & R;
    }
    const mock = await startApp({ name: 'sheets-mock', env: mockEnv });
    started.push(mock);
    for (let index = 0; index < count; index += 1) {
      const more = typeof gatewayEnv === 'function' ? gatewayEnv(index) : gatewayEnv;
      const env = { REDIS_URL: redis.url, UPSTREAM_BASE_URL: mock.baseUrl, ...more };
      gateways.push(await startApp({ name: 'gateway', env }));
    }
    return { redis, mock, gateways, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

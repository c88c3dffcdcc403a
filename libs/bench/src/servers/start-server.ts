import { cleanEnvironment, freePort, startChildApp, waitUntilReady, type ChildApp } from '@app/local-stack';
import { join } from 'node:path';

export interface Server extends ChildApp {
  readonly port: number;
}

const READY_TIMEOUT_MS = 30_000;

/** Starts one of the baselines as a process of its own. */
export async function startServer(name: 'bare-get' | 'case-study' | 'queue-add', redisUrl: string): Promise<Server> {
  const port = await freePort();
  const script = join(__dirname, `${name}.js`);
  const child = startChildApp({ name, script, env: { ...cleanEnvironment(), REDIS_URL: redisUrl, PORT: String(port) } });
  await waitUntilReady(child, `http://127.0.0.1:${port}/ready`, READY_TIMEOUT_MS);
  return { ...child, port };
}

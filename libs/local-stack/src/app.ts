/** The apps of this repository, for tests: each a process of its own from the build, in an environment that the test knows. */
import { startChildApp, waitUntilReady, type ChildApp } from './child-app';
import { cleanEnvironment, type Environment } from './clean-environment';
import { freePort } from './free-port';
import { appScript, type AppName } from './repository';

export interface StartAppOptions {
  readonly name: AppName;
  /** Added to a clean environment. Its port, where it names one, is kept: so an app can come back where it was. */
  readonly env?: Environment;
  readonly onLine?: (line: string) => void;
}

export interface App extends ChildApp {
  readonly baseUrl: string;
}

/** What a start may take on two cores that run tests as well. */
const READY_TIMEOUT_MS = 30_000;

/** The variable of each app's port, and where it answers 200 once it is ready. */
export const APP_PROBES: Readonly<Record<AppName, { readonly portVariable: string; readonly readyPath: string }>> = {
  gateway: { portVariable: 'PORT', readyPath: '/health/ready' },
  'sheets-mock': { portVariable: 'MOCK_PORT', readyPath: '/control/quota' },
};

/** Starts an app and waits until it is ready. */
export async function startApp({ name, env = {}, onLine }: StartAppOptions): Promise<App> {
  const { portVariable, readyPath } = APP_PROBES[name];
  const port = env[portVariable] ?? String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = startChildApp({
    name,
    script: appScript(name),
    env: { ...cleanEnvironment(), ...env, [portVariable]: port },
    onLine,
  });
  try {
    await waitUntilReady(child, baseUrl + readyPath, READY_TIMEOUT_MS);
  } catch (error) {
    await child.kill();
    const { message } = error as Error;
    throw new Error(`${message}. It printed:\n${child.log()}`, { cause: error });
  }
  return { ...child, baseUrl };
}

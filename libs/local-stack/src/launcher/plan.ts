/** What `npm start` is to run, read from the environment. Everything else in it is for the gateway to check. */
import { resolve } from 'node:path';
import { type Environment } from '../clean-environment';
import { LaunchProblem } from './problem';

/** What the launcher itself reads; it hands all of the environment on to what it starts. */
export const LAUNCHER_VARIABLES = [
  'PORT',
  'HOST',
  'MOCK_PORT',
  'DATA_DIR',
  'REDIS_URL',
  'UPSTREAM_BASE_URL',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_DEFAULT_CREDENTIALS',
] as const;
type Variable = (typeof LAUNCHER_VARIABLES)[number];

export interface LaunchPlan {
  /** Of the private Redis and of the mock, and where a running launcher is noted. */
  readonly dataDirectory: string;
  readonly gateway: { readonly host: string; readonly port: number };
  /** Absent: the upstream is another. */
  readonly mock?: { readonly port: number };
  /** A server of somebody else; absent: a private one. */
  readonly redisUrl?: string;
}

export function readPlan(environment: Environment, root: string): LaunchPlan {
  // An empty value means "not set", as for the gateway.
  const read = (name: Variable): string | undefined => environment[name] || undefined;
  const port = (name: Variable, fallback: number): number => {
    const text = read(name) ?? String(fallback);
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > 65_535)
      throw new LaunchProblem(`${name}: found ${JSON.stringify(text)}, expected a port number from 1 to 65535.`);
    return value;
  };
  const isReal = read('GOOGLE_APPLICATION_CREDENTIALS') !== undefined || /^true$/i.test(read('GOOGLE_DEFAULT_CREDENTIALS') ?? '');
  const usesMock = read('UPSTREAM_BASE_URL') === undefined && !isReal;
  const gateway = { host: read('HOST') ?? '127.0.0.1', port: port('PORT', 3_000) };
  const mock = usesMock ? { port: port('MOCK_PORT', 4_100) } : undefined;
  if (mock?.port === gateway.port)
    throw new LaunchProblem(`PORT and MOCK_PORT are both ${gateway.port}: the gateway and the mock need a port each.`);
  return {
    dataDirectory: resolve(root, read('DATA_DIR') ?? '.data'),
    gateway,
    mock,
    redisUrl: read('REDIS_URL'),
  };
}

/** Where to reach from this machine what listens on `host`. */
export function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

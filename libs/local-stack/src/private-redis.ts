/**
 * A Redis-compatible server of our own: on loopback and a free port, append-only file on, ended by its process id.
 * Nothing here touches a server that this code did not start.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { closeRedis, connectRedis, waitUntilReady } from '@app/platform';

/** Redis-compatible servers, the first on the PATH is used. */
export const REDIS_SERVER_NAMES = ['redis-server', 'valkey-server'] as const;

export interface PrivateRedisOptions {
  /** Where its files are kept; absent: a new temporary folder, removed by `stop`. */
  readonly directory?: string;
  /** Absent: a free one. */
  readonly port?: number;
  /** `always`: what is acknowledged is on disk. */
  readonly appendfsync?: 'always' | 'everysec';
  /** More configuration, such as `['--maxmemory', '32mb']`. */
  readonly extra?: readonly string[];
  readonly onExit?: (code: number | null) => void;
}

export interface PrivateRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly directory: string;
  /** Ends it as an operator would; its files stay if their folder was named. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

export function findRedisServer(): string | undefined {
  return REDIS_SERVER_NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

export async function startPrivateRedis(options: PrivateRedisOptions = {}): Promise<PrivateRedis> {
  const program = findRedisServer();
  if (program === undefined)
    throw new Error(`no Redis-compatible server on the PATH (looked for ${REDIS_SERVER_NAMES.join(', ')})`);
  const temporary = options.directory === undefined;
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'private-redis-'));
  mkdirSync(directory, { recursive: true });
  const port = options.port ?? (await freePort());
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: directory,
    appendonly: 'yes',
    appendfsync: options.appendfsync ?? 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const child = spawn(
    program,
    [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), ...(options.extra ?? [])],
    {
      // A group of its own: Ctrl-C on the terminal must not end Redis before those who still write to it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => void (log.push(data.toString()), log.splice(0, log.length - 40)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  void exited.then((code) => options.onExit?.(code));
  const url = `redis://127.0.0.1:${port}`;

  const probe = connectRedis(url, 'request');
  try {
    const failure = await Promise.race([
      waitUntilReady(probe, 15_000).then(() => undefined),
      exited.then(() => new Error('it ended')),
    ]);
    if (failure) throw failure;
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(
      `the private Redis (${program}) did not start on port ${port}: ${(error as Error).message}\n${log.join('')}`,
      { cause: error },
    );
  } finally {
    await closeRedis(probe);
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    signalIfRunning(child, signal);
    const patience = setTimeout(() => signalIfRunning(child, 'SIGKILL'), 10_000);
    await exited;
    clearTimeout(patience);
  };
  return {
    url,
    port,
    pid: child.pid as number,
    directory,
    stop: async () => {
      await end('SIGTERM');
      if (temporary) rmSync(directory, { recursive: true, force: true });
    },
    kill: async () => await end('SIGKILL'),
  };
}

function signalIfRunning(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}

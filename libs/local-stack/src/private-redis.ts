/**
 * A Redis-compatible server of our own: on loopback and a free port, append-only file on, ended by its process id.
 * Nothing here touches a server that this code did not start.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@app/platform';
import { freePort } from './free-port';
import { endLeftoverServer, forgetServer, recordServer } from './redis-server-record';
import { watchOver } from './redis-watchdog';

/** Redis-compatible servers, the first on the PATH is used. */
export const REDIS_SERVER_NAMES = ['redis-server', 'valkey-server'] as const;

/** Loading a log of some hundred megabytes included. */
const START_TIMEOUT_MS = 60_000;

/** Longer than a server takes to write the end of its log. */
const STOP_PATIENCE_MS = 10_000;

/** One probe of readiness. */
const PING_TIMEOUT_MS = 1_000;

const LOG_CHUNKS_MAX = 40;

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
  /** How long it outlives the process that started it, where that is killed: those who still write may need it. */
  readonly orphanGraceSeconds?: number;
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
  /** SIGSTOP: its connections stay open, and nobody answers. */
  pause(): void;
  resume(): void;
}

export function findRedisServer(): string | undefined {
  return REDIS_SERVER_NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

export async function startPrivateRedis(options: PrivateRedisOptions = {}): Promise<PrivateRedis> {
  const program = findRedisServer();
  if (program === undefined)
    throw new Error(`no Redis-compatible server on the PATH (looked for ${REDIS_SERVER_NAMES.join(', ')})`);
  const temporary = options.directory === undefined;
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'private-redis-'));
  mkdirSync(directory, { recursive: true });
  await endLeftoverServer(directory);
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
  const pid = child.pid as number;
  // Before it is ready: from here on it may be left behind.
  recordServer(directory, { pid, port });
  const callOffWatchdog = watchOver(pid, port, options.orphanGraceSeconds ?? 0);
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => void (log.push(data.toString()), log.splice(0, log.length - LOG_CHUNKS_MAX)));
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      callOffWatchdog();
      forgetServer(directory, pid);
      resolve(code);
    }),
  );
  const send = (signal: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    send(signal);
    // One that was paused acts on the signal only when it goes on.
    send('SIGCONT');
    const patience = setTimeout(() => send('SIGKILL'), STOP_PATIENCE_MS);
    await exited;
    clearTimeout(patience);
  };

  const removeFiles = (): void => {
    if (temporary) rmSync(directory, { recursive: true, force: true });
  };

  const url = `redis://127.0.0.1:${port}`;
  try {
    await waitFor(
      'its answer',
      () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended');
        return answersPing(port);
      },
      { timeoutMs: START_TIMEOUT_MS },
    );
  } catch (error) {
    await end('SIGKILL');
    removeFiles();
    // The server's last line is its reason.
    const reason = log.join('').trim().split('\n').at(-1) ?? '';
    const { message } = error as Error;
    throw new Error(`the private Redis (${program}) did not start on port ${port}: ${message}, saying: ${reason}`, {
      cause: error,
    });
  }
  void exited.then((code) => options.onExit?.(code));
  return {
    url,
    port,
    pid,
    directory,
    stop: async () => {
      await end('SIGTERM');
      removeFiles();
    },
    kill: async () => await end('SIGKILL'),
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
  };
}

/** Whether it takes commands: while it loads its file, it answers PING with an error. */
async function answersPing(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(PING_TIMEOUT_MS, () => socket.destroy());
    socket.once('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(false));
  });
}

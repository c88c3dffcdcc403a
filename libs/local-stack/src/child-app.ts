/** A Node program of ours as a child process: its output by lines, and its end by every way a test or a launcher needs. */
import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { waitFor } from '@app/platform';
import { EXIT_WITH_PARENT_SCRIPT } from './repository';

/** How long a process may take to end in good order before it is ended. */
const STOP_PATIENCE_MS = 15_000;

/** One probe of readiness. Far longer than an answer takes, short enough to ask again. */
const PROBE_TIMEOUT_MS = 2_000;

/** Enough to read what went wrong in a test, without growing with a load that lasts minutes. */
const LOG_LINES_MAX = 5_000;

export interface ChildAppOptions {
  /** For messages. */
  readonly name: string;
  readonly script: string;
  /** All of the child's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLine?: (line: string) => void;
  readonly stopPatienceMs?: number;
}

export interface ChildApp {
  readonly name: string;
  readonly pid: number;
  /** Resolves at its end, when all of its output has been read, with the manner of it: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
  /** How it ended; undefined while it runs. */
  ending(): string | undefined;
  /** SIGTERM, and SIGKILL when that does not help. */
  stop(): Promise<void>;
  /** SIGKILL, as in a crash. */
  kill(): Promise<void>;
  /** SIGSTOP: alive, with its connections open, and silent, as in a long garbage collection or on a frozen machine. */
  pause(): void;
  resume(): void;
  /** What it has printed, the oldest lines dropped. */
  log(): string;
}

/** A child that did not become ready, or ended by itself. */
export class ChildAppError extends Error {
  constructor(
    message: string,
    readonly log: string,
  ) {
    super(message);
    this.name = 'ChildAppError';
  }
}

export function startChildApp({ name, script, env, onLine, stopPatienceMs = STOP_PATIENCE_MS }: ChildAppOptions): ChildApp {
  const child = spawn(process.execPath, ['--require', EXIT_WITH_PARENT_SCRIPT, script], {
    env,
    // A process group of its own: Ctrl-C on the terminal reaches the launcher only, which ends the children in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  const take = (line: string): void => {
    lines.push(line);
    if (lines.length > LOG_LINES_MAX) lines.shift();
    onLine?.(line);
  };
  eachLine(child.stdout!, take);
  eachLine(child.stderr!, take);

  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    const end = (manner: string): void => {
      ending = manner;
      resolve(manner);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const send = (name: NodeJS.Signals): void => void (child.exitCode === null && child.signalCode === null && child.kill(name));
    send(signal);
    // One that was paused acts on the signal only when it goes on.
    send('SIGCONT');
    const patience = setTimeout(() => send('SIGKILL'), stopPatienceMs);
    await exited;
    clearTimeout(patience);
  };
  return {
    name,
    pid: child.pid ?? -1,
    exited,
    ending: () => ending,
    stop: async () => await end('SIGTERM'),
    kill: async () => await end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    log: () => lines.join('\n'),
  };
}

/** Waits until `url` answers 200. Throws when the app ends before, or takes longer than `timeoutMs`. */
export async function waitUntilReady(app: ChildApp, url: string, timeoutMs: number): Promise<void> {
  let last = 'no answer';
  await waitFor(
    url,
    async () => {
      if (app.ending() !== undefined)
        throw new ChildAppError(`the ${app.name} ended (${app.ending()}) before it was ready`, app.log());
      last = await statusOf(url);
      return last === '200';
    },
    { timeoutMs, everyMs: 50 },
  ).catch((error: Error) => {
    if (error instanceof ChildAppError) throw error;
    throw new ChildAppError(`the ${app.name} was not ready within ${timeoutMs / 1_000} s (${url} gave: ${last})`, app.log());
  });
}

/** The status of one answer, or why there was none. On a connection of its own, so that nothing stays open. */
async function statusOf(url: string): Promise<string> {
  return await new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`)));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (begun + decoder.write(chunk)).split('\n');
    begun = lines.pop() ?? '';
    lines.forEach(take);
  });
  stream.on('end', () => {
    if (begun !== '') take(begun);
  });
}

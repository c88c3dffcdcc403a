/** A launcher as a process of its own, as a person sees it: what it prints, how it ends, and which processes it leaves. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, commandOf, freePort, type Environment } from '@app/local-stack';
import { waitFor } from '@app/platform';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** What the launcher's summary says, and so what a person can rely on. */
export interface Places {
  readonly gateway: { readonly url: string; readonly pid: number };
  readonly mock: { readonly url: string; readonly pid: number };
  readonly redis: { readonly url: string; readonly pid: number };
}

export interface Launched {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Everything printed so far. */
  out(): string;
  signal(name: NodeJS.Signals): void;
  /** Waits until all runs. Throws with the output when it ends before. */
  places(timeoutMs?: number): Promise<Places>;
}

/** Folders, ports and processes of one test, all gone after it. */
export class LaunchBench {
  readonly directory = mkdtempSync(join(tmpdir(), 'launch-'));
  private readonly launched: Launched[] = [];
  private env: Environment = {};

  async open(): Promise<void> {
    this.env = {
      ...cleanEnvironment(),
      DATA_DIR: join(this.directory, 'data'),
      ENDINGS: join(this.directory, 'endings'),
      PORT: String(await freePort()),
      MOCK_PORT: String(await freePort()),
    };
  }

  get ports(): { readonly gateway: number; readonly mock: number } {
    return { gateway: Number(this.env['PORT']), mock: Number(this.env['MOCK_PORT']) };
  }

  start(words: readonly string[], more: Environment = {}): Launched {
    const child = spawn(words[0] ?? '', words.slice(1), { env: { ...this.env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    let isOver = false;
    const ended = new Promise<Ended>((resolve) =>
      child.once('close', (code) => {
        isOver = true;
        resolve({ code, out, errors });
      }),
    );
    const launched: Launched = {
      pid: child.pid as number,
      ended,
      out: () => out,
      signal: (name) => void child.kill(name),
      places: async (timeoutMs = 60_000) => {
        await waitFor(
          'the summary of what runs',
          () => {
            if (isOver) throw new Error(`the launcher ended:\n${out}\n${errors}`);
            return out.includes('Ctrl-C ends all of it');
          },
          { timeoutMs },
        );
        return placesIn(out);
      },
    };
    this.launched.push(launched);
    return launched;
  }

  async close(): Promise<void> {
    for (const launched of this.launched) {
      launched.signal('SIGTERM');
      await launched.ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function placesIn(summary: string): Places {
  const place = (name: string): { url: string; pid: number } => {
    const [, url = '', pid] = new RegExp(`^ *${name} +(\\S+) +process (\\d+)`, 'm').exec(summary) ?? [];
    return { url, pid: Number(pid) };
  };
  return { gateway: place('gateway'), mock: place('Sheets mock'), redis: place('Redis') };
}

export async function expectGone(pids: readonly number[], timeoutMs = 10_000): Promise<void> {
  await waitFor(`the end of the processes ${pids.join(', ')}`, () => pids.every((pid) => commandOf(pid) === undefined), {
    timeoutMs,
  });
}

export const pidsOf = ({ gateway, mock, redis }: Places): number[] => [gateway.pid, mock.pid, redis.pid];

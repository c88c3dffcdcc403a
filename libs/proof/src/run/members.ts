/** The processes of the system under test: started, killed, paused and brought back, each where it was. */
import { startApp, startPrivateRedis, freePort, type App, type PrivateRedis } from '@app/local-stack';
import { pause } from '@app/platform';
import type { Counts } from './counts';
import { LEASE_MS } from './settings';

const RESTART_AFTER_MS = 100;

/** Past the lease, and past a round or two of the one who takes over. */
const STOP_MARGIN_MS = 800;

/** A gateway process in one role, on one port, however often it is killed. */
export class Member {
  private app: App | undefined;
  private armedStep: string | undefined;
  private stopped = false;
  private starting: Promise<void> = Promise.resolve();
  private ending = false;

  constructor(
    readonly name: string,
    readonly baseUrl: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly counts: Counts,
    private readonly complain: (problem: string) => void,
  ) {}

  static async create(
    name: string,
    env: Readonly<Record<string, string>>,
    counts: Counts,
    complain: (problem: string) => void,
  ): Promise<Member> {
    const port = String(await freePort());
    return new Member(name, `http://127.0.0.1:${port}`, { ...env, PORT: port }, counts, complain);
  }

  get isUp(): boolean {
    return this.app !== undefined;
  }

  /** Up, and not stopped: nobody's request waits in it. */
  get isResponsive(): boolean {
    return this.isUp && !this.stopped;
  }

  get isArmed(): boolean {
    return this.armedStep !== undefined;
  }

  /** @param armed `<step>:<count>`: where the new process kills itself */
  async start(armed?: string): Promise<void> {
    this.starting = this.startOne(armed);
    await this.starting;
  }

  private async startOne(armed: string | undefined): Promise<void> {
    this.armedStep = armed;
    const env = { ...this.env, ...(armed === undefined ? {} : { TEST_KILL_AT_STEP: armed }) };
    for (;;) {
      if (this.ending) return;
      try {
        const app = await startApp({ name: 'gateway', env, onLine: (line) => this.heard(line) });
        this.app = app;
        void app.exited.then((how) => this.ended(app, how));
        return;
      } catch (error) {
        // It may have come to its step before it was ready, or Redis is away for longer than a start waits.
        const { message } = error as Error;
        if (armed !== undefined && message.includes('SIGKILL')) {
          this.counts.add('kills', `at ${armed.split(':')[0]}`);
          delete (env as Record<string, string>).TEST_KILL_AT_STEP;
          this.armedStep = undefined;
        } else if (!this.ending) this.complain(`${this.name} did not start: ${message}`);
      }
    }
  }

  /** A process says so before it stops itself at a step; it goes on when its lease has surely run out. */
  private heard(line: string): void {
    const stopped = /^SIGSTOP at (.+), process (\d+)$/.exec(line);
    if (stopped === null) return;
    this.counts.add('pauses', `at ${stopped[1]}, past its lease`);
    this.armedStep = undefined;
    this.stopped = true;
    void pause(LEASE_MS + STOP_MARGIN_MS).then(() => {
      resume(Number(stopped[2]));
      this.stopped = false;
    });
  }

  private ended(app: App, how: string): void {
    // Replaced by a kill of ours: whoever killed it starts it again.
    if (this.app !== app || this.ending) return;
    this.app = undefined;
    if (how === 'SIGKILL' && this.armedStep !== undefined) this.counts.add('kills', `at ${this.armedStep.split(':')[0]}`);
    else this.complain(`${this.name} ended by itself: ${how}\n${app.log()}`);
    void pause(RESTART_AFTER_MS).then(() => this.start());
  }

  async kill(): Promise<boolean> {
    const { app } = this;
    if (app === undefined) return false;
    this.app = undefined;
    await app.kill();
    return true;
  }

  async pauseFor(durationMs: number): Promise<void> {
    const { app } = this;
    this.stopped = true;
    app?.pause();
    await pause(durationMs);
    app?.resume();
    this.stopped = false;
  }

  async untilUp(): Promise<void> {
    while (!this.isUp && !this.ending) {
      await this.starting;
      await pause(RESTART_AFTER_MS);
    }
  }

  async stop(): Promise<void> {
    this.ending = true;
    await this.app?.kill();
    await this.starting;
    await this.app?.kill();
  }

  log(): string {
    return this.app?.log() ?? '';
  }
}

/** It may have been killed meanwhile. */
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Redis on one directory and one port, so that it comes back with all that it had acknowledged. */
export class RedisMember {
  private constructor(
    private server: PrivateRedis,
    private readonly directory: string,
  ) {}

  static async start(directory: string): Promise<RedisMember> {
    return new RedisMember(await startPrivateRedis({ directory }), directory);
  }

  get url(): string {
    return this.server.url;
  }

  async killFor(durationMs: number): Promise<void> {
    const { port } = this.server;
    await this.server.kill();
    await pause(durationMs);
    this.server = await startPrivateRedis({ directory: this.directory, port });
  }

  async pauseFor(durationMs: number): Promise<void> {
    this.server.pause();
    await pause(durationMs);
    this.server.resume();
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

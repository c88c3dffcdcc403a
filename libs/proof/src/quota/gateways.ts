/** The gateway processes: each on one port, however often it is killed, with a note of when it was away. */
import { freePort, startApp, type App } from '@app/local-stack';
import { monotonicMs, pause, STEP_NAMES } from '@app/platform';
import { type Counts } from '../run/counts';
import type { Random } from '../run/random';

/** A process that ends itself is noticed a moment after its connections broke. */
const NOTICE_MS = 1_000;

/** A passing of a step is a call to the upstream: the process dies within its first few. */
const PASSES_MAX = 6;

interface Outage {
  readonly fromMs: number;
  toMs: number;
}

export class Gateway {
  private app: App | undefined;
  private armedStep: string | undefined;
  private readonly outages: Outage[] = [];

  constructor(
    readonly name: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly kills: Counts,
    private readonly complain: (problem: string) => void,
  ) {}

  get baseUrl(): string {
    return `http://127.0.0.1:${this.env.PORT}`;
  }

  get isUp(): boolean {
    return this.app !== undefined;
  }

  /** @param armed the step of an upstream call at which the process kills itself, and at which passing of it: `after-send:3` */
  async start(armed?: string): Promise<void> {
    let app: App;
    try {
      app = await startApp({ name: 'gateway', env: { ...this.env, ...(armed && { TEST_KILL_AT_STEP: armed }) } });
      this.armedStep = armed?.split(':')[0];
    } catch (error) {
      // It has come to its step before it was ready.
      if (armed === undefined || !(error as Error).message.includes('SIGKILL')) throw error;
      this.kills.add('kills', armed.split(':')[0]);
      return await this.start();
    }
    this.app = app;
    const outage = this.outages.at(-1);
    if (outage !== undefined) outage.toMs = monotonicMs();
    void app.exited.then((how) => this.ended(app, how));
  }

  async kill(): Promise<void> {
    const { app } = this;
    if (app === undefined) return;
    this.away();
    this.kills.add('kills', 'from outside');
    await app.kill();
  }

  /** Whether it was away at some moment of this time: then a request may have lost its connection. */
  wasAwayBetween(fromMs: number, toMs: number): boolean {
    return this.outages.some((outage) => outage.fromMs <= toMs && outage.toMs >= fromMs);
  }

  async stop(): Promise<void> {
    const { app } = this;
    this.app = undefined;
    await app?.stop();
  }

  private ended(app: App, how: string): void {
    if (this.app !== app) return;
    this.away();
    if (how === 'SIGKILL' && this.armedStep !== undefined) this.kills.add('kills', this.armedStep);
    else this.complain(`${this.name} ended by itself: ${how}\n${app.log()}`);
  }

  private away(): void {
    this.app = undefined;
    this.outages.push({ fromMs: monotonicMs() - NOTICE_MS, toMs: Infinity });
  }
}

export async function startGateways(
  count: number,
  env: Readonly<Record<string, string>>,
  kills: Counts,
  complain: (problem: string) => void,
): Promise<readonly Gateway[]> {
  const ports = new Set<string>();
  while (ports.size < count) ports.add(String(await freePort()));
  const gateways = [...ports].map((PORT, at) => new Gateway(`gateway ${at + 1}`, { ...env, PORT }, kills, complain));
  const results = await Promise.allSettled(gateways.map((gateway) => gateway.start()));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return gateways;
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  throw failure.reason;
}

/**
 * Every few seconds a gateway is killed and started again on its port. Every other new process is armed to kill itself at a step of
 * a call (before it is sent, between request and answer, before its place is settled): no signal from outside hits these reliably.
 */
export async function killNowAndThen(
  gateways: readonly Gateway[],
  everyMs: number,
  random: Random,
  over: AbortSignal,
): Promise<void> {
  const steps: string[] = [];
  for (let kills = 0; ; kills += 1) {
    await pause(everyMs * (0.5 + random.next()), over);
    if (over.aborted) break;
    // One that has killed itself meanwhile has had its turn.
    const victim = gateways.find(({ isUp }) => !isUp) ?? random.pick(gateways);
    await victim.kill();
    if (steps.length === 0) steps.push(...STEP_NAMES);
    const step = steps.splice(random.between(0, steps.length - 1), 1)[0];
    await victim.start(kills % 2 === 0 ? `${step}:${random.between(1, PASSES_MAX)}` : undefined);
  }
  for (const gateway of gateways) if (!gateway.isUp) await gateway.start();
}

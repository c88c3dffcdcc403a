/**
 * `npm start`: Redis, then the mock and the gateway, until a signal or until one of them ends.
 *
 *   starting ──all ready──▶ running ──signal──▶ ending ──▶ exit code 0
 *      └───────────┴──one ends, or cannot start─────▶ ending ──▶ exit code 1
 *
 * Ending is the same from everywhere: the gateway first, since it still writes to the others, then the mock, then Redis.
 * A second signal no longer waits. Where this process is killed, the children end by themselves (exit-with-parent.ts,
 * redis-watchdog.ts), and the next launcher waits for those that it still finds (lock.ts, redis-server-record.ts).
 */
import { join } from 'node:path';
import { closeRedis, connectRedis, waitFor, waitUntilReady as waitUntilRedisIsReady } from '@app/platform';
import { APP_PROBES } from '../app';
import { ChildAppError, startChildApp, waitUntilReady, type ChildApp } from '../child-app';
import { type Environment } from '../clean-environment';
import { whyNotFree } from '../free-port';
import { startPrivateRedis, type PrivateRedis } from '../private-redis';
import { type AppName } from '../repository';
import { isRunning, takeLaunchLock, type LaunchLock } from './lock';
import { readPlan, urlOf, type LaunchPlan } from './plan';
import { LaunchProblem } from './problem';
import { summarise, withoutPassword } from './summary';

/** A first start on a slow machine, with much to load. */
const READY_TIMEOUT_MS = 60_000;

/** How long the children of a launcher that was killed get to end: as long as they give themselves, and a little more. */
const LEFT_BEHIND_PATIENCE_MS = 20_000;

/** Redis outlives a launcher that was killed by more than the gateway does, which writes to it until its own end. */
const REDIS_ORPHAN_GRACE_SECONDS = 20;

const FOREIGN_REDIS_TIMEOUT_MS = 5_000;

const PARENT_CHECK_MS = 500;

const LAST_LINES = 8;

export interface LaunchOptions {
  readonly root: string;
  readonly environment: Environment;
  readonly scripts: Readonly<Record<AppName, string>>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly stopPatienceMs?: number;
}

/** A signal, or the end of a part that should run. */
type Reason = { readonly signal: NodeJS.Signals } | { readonly problem: LaunchProblem };

/** Ends the start where there is a reason to end before everything runs. */
class Interrupted extends Error {}

/** Runs until there is a reason to end, ends everything, and returns the exit code. */
export async function launch(options: LaunchOptions): Promise<number> {
  const launcher = new Launcher(options);
  const onSignal = (signal: NodeJS.Signals): void => launcher.onSignal(signal);
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  const watch = options.environment['npm_lifecycle_event'] && watchParent(() => onSignal('SIGTERM'));
  try {
    return await launcher.run();
  } finally {
    if (watch) clearInterval(watch);
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** npm runs its scripts in a shell, which does not hand a signal on that ends it: `kill` on npm ends npm and that shell only. */
function watchParent(onGone: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_CHECK_MS);
  return watch;
}

class Launcher {
  private reason: Reason | undefined;
  private announce!: () => void;
  private readonly hasReason = new Promise<void>((resolve) => (this.announce = resolve));
  private lock: LaunchLock | undefined;
  private redis: Promise<PrivateRedis> | undefined;
  /** In the order in which they are to end. */
  private readonly apps: Partial<Record<AppName, ChildApp>> = {};

  constructor(private readonly options: LaunchOptions) {}

  onSignal(signal: NodeJS.Signals): void {
    if (this.reason === undefined) this.endBecause({ signal });
    else for (const app of Object.values(this.apps)) void app.kill();
  }

  async run(): Promise<number> {
    try {
      await this.start();
      await this.hasReason;
    } catch (error) {
      if (!(error instanceof Interrupted)) this.endBecause({ problem: asProblem(error) });
    }
    const reason = this.reason as Reason;
    if ('problem' in reason) {
      const { message, lastLines } = reason.problem;
      this.options.complain([capitalise(message), ...lastLines.map((line) => `    ${line}`)].join('\n'));
    } else {
      this.options.print(`${reason.signal}: ending ...`);
    }
    await this.end();
    if ('signal' in reason) this.options.print('Everything has ended.');
    return 'problem' in reason ? 1 : 0;
  }

  private async start(): Promise<void> {
    const { root, environment, print } = this.options;
    const plan = readPlan(environment, root);
    this.lock = takeLaunchLock(plan.dataDirectory);
    await this.awaitThoseLeftBehind();
    await checkPorts(plan);

    const redisUrl = plan.redisUrl ?? (await this.startRedis(plan)).url;
    if (plan.redisUrl !== undefined) await this.unlessEnding(checkForeignRedis(plan.redisUrl));

    const mockUrl = plan.mock && urlOf({ host: '127.0.0.1', port: plan.mock.port });
    const mock =
      plan.mock &&
      this.startApp('sheets-mock', 'mock', {
        MOCK_PORT: String(plan.mock.port),
        MOCK_DATA_DIR: environment['MOCK_DATA_DIR'] || join(plan.dataDirectory, 'mock'),
        // What the gateway counts by and calls is what the mock enforces and holds.
        MOCK_QUOTA: environment['MOCK_QUOTA'] || environment['QUOTA_PRESET'],
        MOCK_SPREADSHEET_ID: environment['MOCK_SPREADSHEET_ID'] || environment['SPREADSHEET_ID'],
      });
    const gateway = this.startApp('gateway', 'gateway', {
      PORT: String(plan.gateway.port),
      HOST: plan.gateway.host,
      REDIS_URL: redisUrl,
      ROLE: environment['ROLE'] || 'all',
      // The gateway sees a pipe; whoever reads it sits at a terminal.
      LOG_FORMAT: environment['LOG_FORMAT'] || (process.stdout.isTTY ? 'pretty' : undefined),
      ...(mockUrl && { UPSTREAM_BASE_URL: mockUrl }),
    });
    const ready = [waitUntilReady(gateway, urlOf(plan.gateway) + APP_PROBES.gateway.readyPath, READY_TIMEOUT_MS)];
    if (mock) ready.push(waitUntilReady(mock, mockUrl + APP_PROBES['sheets-mock'].readyPath, READY_TIMEOUT_MS));
    await this.unlessEnding(Promise.all(ready));
    print(
      summarise({
        root,
        plan,
        environment,
        gatewayPid: gateway.pid,
        mock: mock && mockUrl ? { url: mockUrl, pid: mock.pid } : undefined,
        redis: await this.redis,
      }),
    );
  }

  private async startRedis(plan: LaunchPlan): Promise<PrivateRedis> {
    this.redis = startPrivateRedis({
      directory: join(plan.dataDirectory, 'redis'),
      orphanGraceSeconds: REDIS_ORPHAN_GRACE_SECONDS,
      onExit: (code) => this.endBecause({ problem: new LaunchProblem(`Redis ended unexpectedly (exit code ${code}).`) }),
    });
    return await this.unlessEnding(this.redis);
  }

  private startApp(name: AppName, prefix: string, more: Environment): ChildApp {
    const { environment, scripts, print, stopPatienceMs } = this.options;
    const app = startChildApp({
      name: prefix,
      script: scripts[name],
      env: { ...environment, ...more },
      onLine: (line) => print(`[${prefix}] ${line}`),
      stopPatienceMs,
    });
    this.apps[name] = app;
    this.lock?.add({ name: prefix, pid: app.pid, script: scripts[name] });
    void app.exited.then((manner) =>
      this.endBecause({ problem: new LaunchProblem(`the ${prefix} ended unexpectedly (${manner}).`, lastLinesOf(app.log())) }),
    );
    return app;
  }

  /** Those of a launcher that was killed hold ports and write to Redis until they have ended. */
  private async awaitThoseLeftBehind(): Promise<void> {
    for (const child of this.lock?.leftBehind ?? []) {
      this.options.print(`· waiting for the end of the ${child.name} that was left behind (process ${child.pid}) ...`);
      const end = waitFor(`the end of process ${child.pid}`, () => !isRunning(child), { timeoutMs: LEFT_BEHIND_PATIENCE_MS });
      await this.unlessEnding(end.catch(() => void (isRunning(child) && process.kill(child.pid, 'SIGKILL'))));
    }
  }

  private endBecause(reason: Reason): void {
    // The first reason is the cause; what ends because of it is none.
    this.reason ??= reason;
    this.announce();
  }

  private async unlessEnding<T>(step: Promise<T>): Promise<T> {
    return await Promise.race([
      step,
      this.hasReason.then(() => {
        throw new Interrupted();
      }),
    ]);
  }

  private async end(): Promise<void> {
    await this.apps.gateway?.stop();
    await this.apps['sheets-mock']?.stop();
    // One that is just starting is waited for: it cannot be ended before it is there.
    const redis = await this.redis?.catch(() => undefined);
    await redis?.stop();
    this.lock?.release();
  }
}

async function checkPorts({ gateway, mock }: LaunchPlan): Promise<void> {
  const wanted = [{ variable: 'PORT', ...gateway }, ...(mock ? [{ variable: 'MOCK_PORT', host: '127.0.0.1', ...mock }] : [])];
  for (const { variable, host, port } of wanted) {
    const why = await whyNotFree(host, port);
    if (why === 'EADDRINUSE')
      throw new LaunchProblem(
        `port ${port} is in use: end what listens there, or set ${variable} to another port (${variable}=${port + 1} npm start).`,
      );
    if (why !== undefined)
      throw new LaunchProblem(`nothing can listen on port ${port} of ${host} (${why}): set ${variable} or HOST to another.`);
  }
}

async function checkForeignRedis(url: string): Promise<void> {
  if (!/^rediss?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new LaunchProblem('REDIS_URL: expected a URL that begins with redis:// or rediss://.');
  const redis = connectRedis(url, 'request');
  try {
    await waitUntilRedisIsReady(redis, FOREIGN_REDIS_TIMEOUT_MS);
  } catch (error) {
    throw new LaunchProblem(`REDIS_URL: ${withoutPassword(url)} cannot be used: ${(error as Error).message}.`);
  } finally {
    await closeRedis(redis);
  }
}

function asProblem(error: unknown): LaunchProblem {
  if (error instanceof LaunchProblem) return error;
  if (error instanceof ChildAppError) return new LaunchProblem(`${error.message}.`, lastLinesOf(error.log));
  return new LaunchProblem((error as Error).message);
}

function lastLinesOf(log: string): string[] {
  return log.split('\n').slice(-LAST_LINES);
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

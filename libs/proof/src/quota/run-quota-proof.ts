/**
 * Gateways as processes of their own on one Redis, many clients, and the upstream's log as the judge: no call refused, no window
 * with more calls than the limit, whatever is killed.
 */
import { randomInt } from 'node:crypto';
import { freePort, startApp, startPrivateRedis, type App } from '@app/local-stack';
import { monotonicMs, pause } from '@app/platform';
import { Random } from '../run/random';
import { runLoad, type LoadCounts } from './load';
import { UpstreamLog } from './upstream-log';
import { worstWindow } from './worst-window';

export interface QuotaProofSettings {
  readonly durationMs: number;
  readonly gateways: number;
  readonly clients: number;
  readonly kills: boolean;
  readonly limit: number;
  readonly windowMs: number;
  readonly thinkMs: number;
  readonly seed: number;
  /** false: the gateways count and refuse nothing; the control that has to fail. */
  readonly enforce: boolean;
  readonly print: (line: string) => void;
}

export interface QuotaProofResult {
  readonly load: LoadCounts;
  readonly calls: number;
  readonly refused: number;
  readonly worst: number;
  readonly kills: number;
  /** Calls in the first and in the last window: places of killed gateways come back. */
  readonly firstWindow: number;
  readonly lastWindow: number;
}

const SHEETS = ['orders', 'customers'] as const;
const KILL_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 5_000;

export const anySeed = (): number => randomInt(0x7fffffff);

export async function runQuotaProof(settings: QuotaProofSettings): Promise<QuotaProofResult> {
  const { windowMs, limit, durationMs, print } = settings;
  const random = new Random(settings.seed);
  const redis = await startPrivateRedis();
  const running: { stop(): Promise<void> }[] = [redis];
  try {
    const mock = await startApp({ name: 'sheets-mock', env: { MOCK_LATENCY_MS: '100', MOCK_LATENCY_JITTER_MS: '50' } });
    running.push(mock);
    await fetch(`${mock.baseUrl}/control/quota`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'case-study', limit, refillPerSecond: (limit * 1_000) / windowMs }),
    });
    const ports = await portsFor(settings.gateways);
    const start = (port: string): Promise<App> =>
      startApp({
        name: 'gateway',
        env: {
          PORT: port,
          REDIS_URL: redis.url,
          UPSTREAM_BASE_URL: mock.baseUrl,
          QUOTA_LIMIT: String(limit),
          QUOTA_WINDOW_MS: String(windowMs),
          QUOTA_MIN_DEGRADED_MS: String(Math.round(windowMs / 3)),
          QUOTA_ENFORCE: String(settings.enforce),
          LOG_LEVEL: 'error',
        },
      });
    const gateways = await Promise.all(ports.map(start));
    const log = new UpstreamLog(mock.baseUrl);
    const beganMs = monotonicMs();
    const untilMs = beganMs + durationMs;
    const stopped = new AbortController();
    const nemesis = settings.kills ? killNowAndThen(gateways, ports, start, random.split(), stopped.signal) : Promise.resolve(0);
    const watch = watchLog(log, windowMs, limit, beganMs, stopped.signal, print);
    let load: LoadCounts;
    let kills: number;
    try {
      const { clients, thinkMs } = settings;
      const baseUrls = (): string[] => gateways.map((gateway) => gateway.baseUrl);
      load = await runLoad({ clients, thinkMs, untilMs, sheets: SHEETS, baseUrls, random: random.split() });
    } finally {
      stopped.abort();
      [kills] = await Promise.all([nemesis, watch]);
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    }
    return { load, kills, ...judge(await log.gather(), windowMs) };
  } finally {
    for (const part of running.reverse()) await part.stop();
  }
}

function judge(calls: Awaited<ReturnType<UpstreamLog['gather']>>, windowMs: number): Omit<QuotaProofResult, 'load' | 'kills'> {
  const times = calls.map((call) => call.atMs);
  const first = Math.min(...times);
  const last = Math.max(...times);
  return {
    calls: calls.length,
    refused: calls.filter((call) => call.status === 429).length,
    worst: worstWindow(times, windowMs),
    firstWindow: times.filter((at) => at < first + windowMs).length,
    lastWindow: times.filter((at) => at > last - windowMs).length,
  };
}

async function portsFor(count: number): Promise<string[]> {
  const ports = new Set<string>();
  while (ports.size < count) ports.add(String(await freePort()));
  return [...ports];
}

/** Kills a gateway in the middle of whatever it does, and brings it back where it was. @returns how many were killed. */
async function killNowAndThen(
  gateways: App[],
  ports: readonly string[],
  start: (port: string) => Promise<App>,
  random: Random,
  stopped: AbortSignal,
): Promise<number> {
  let kills = 0;
  for (;;) {
    await pause(KILL_EVERY_MS * (0.5 + random.next()), stopped);
    if (stopped.aborted) return kills;
    const at = random.between(0, gateways.length - 1);
    await gateways[at].kill();
    kills += 1;
    gateways[at] = await start(ports[at]);
  }
}

async function watchLog(
  log: UpstreamLog,
  windowMs: number,
  limit: number,
  beganMs: number,
  stopped: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  for (;;) {
    await pause(LOOK_EVERY_MS, stopped);
    if (stopped.aborted) return;
    const calls = await log.gather();
    const worst = worstWindow(
      calls.map((call) => call.atMs),
      windowMs,
    );
    const refused = calls.filter((call) => call.status === 429).length;
    const seconds = Math.round((monotonicMs() - beganMs) / 1_000);
    print(
      `${String(seconds).padStart(4)} s: ${calls.length} upstream calls, ${refused} refused, worst window ${worst} of ${limit}`,
    );
  }
}

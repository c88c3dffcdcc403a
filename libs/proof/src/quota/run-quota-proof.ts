/**
 * Gateways as processes of their own on one Redis, many clients, and the upstream's own log as the judge:
 *
 *   work    clients read and write; gateways are killed, if that is asked for
 *   quiet   (after kills) no client; until the ledger counts no more calls than the upstream has seen: the places that killed
 *           gateways held are free again, at the latest when their leases and one window are over
 */
import { setMaxListeners } from 'node:events';
import { startApp, startPrivateRedis } from '@app/local-stack';
import { monotonicMs, pause } from '@app/platform';
import { Counts } from '../run/counts';
import { expectOk } from '../run/http';
import { Random } from '../run/random';
import { Answers } from './answers';
import { Connections } from './connections';
import { killNowAndThen, startGateways, type Gateway } from './gateways';
import { limitsOf, worstSlices, type WorstSlice } from './limits';
import { LoadClient } from './load-client';
import { ModeObserver } from './mode-observer';
import { makePlaces } from './places';
import { LEASE_MARGIN_MS, type QuotaProofSettings } from './settings';
import { UpstreamLog, type LoggedCall } from './upstream-log';

export interface QuotaProofResult {
  readonly seconds: number;
  /** By the upstream's log. */
  readonly calls: { readonly all: number; readonly reads: number; readonly writes: number; readonly refused: number };
  readonly slices: readonly WorstSlice[];
  /** Calls in the first and in the last window of the work. */
  readonly firstWindowCalls: number;
  readonly lastWindowCalls: number;
  /** By what the clients got. */
  readonly answers: Readonly<Record<string, number>>;
  readonly degraded: Readonly<Record<string, number>>;
  readonly brokenConnections: Readonly<Record<string, number>>;
  readonly modeChanges: number;
  readonly modeChangesInAMinute: number;
  /** By where the process was when it died. */
  readonly kills: Readonly<Record<string, number>>;
  /** What became of the places that killed gateways held. Absent: none was killed. */
  readonly places?: PlacesReturned;
  /** Empty: the promise was kept. */
  readonly problems: readonly string[];
}

export interface PlacesReturned {
  /** The ledger's count and the upstream's, of one window, when the clients stopped. */
  readonly countedAtTheEnd: number;
  readonly seenAtTheEnd: number;
  /** Until the two agreed. Absent: they never did. */
  readonly backAfterMs?: number;
}

const FOLLOW_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 250;

/** For what comes on top of a lease and a window, such as a busy machine. */
const PATIENCE_MS = 5_000;

/** The upstream counts a call from its arrival, the ledger from its answer: the same call is gone so much later there. */
const ANSWER_MS = 500;

export async function runQuotaProof(settings: QuotaProofSettings): Promise<QuotaProofResult> {
  const stops: (() => Promise<void> | void)[] = [];
  try {
    return await runWith(settings, stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function runWith(settings: QuotaProofSettings, stops: (() => Promise<void> | void)[]): Promise<QuotaProofResult> {
  const { windowMs, durationMs, killEveryMs, thinkMs } = settings;
  const random = new Random(settings.seed);
  const problems: string[] = [];
  const kills = new Counts();

  const redis = await startPrivateRedis();
  stops.push(() => redis.stop());
  const mock = await startApp({ name: 'sheets-mock', env: { MOCK_QUOTA: settings.preset } });
  stops.push(() => mock.stop());
  await setUpstreamQuota(mock.baseUrl, settings);
  const places = await makePlaces(mock.baseUrl);
  const env = { ...gatewayEnv(settings), REDIS_URL: redis.url, UPSTREAM_BASE_URL: mock.baseUrl };
  const gateways = await startGateways(settings.gateways, env, kills, (problem) => problems.push(problem));
  stops.push(async () => void (await Promise.all(gateways.map((gateway) => gateway.stop()))));

  const connections = new Connections();
  stops.push(() => connections.close());
  const answers = new Answers();
  const observer = new ModeObserver(gateways, connections, answers, places[0]);
  const log = new UpstreamLog(mock.baseUrl);
  const over = new AbortController();
  // Every client listens: hundreds are no leak.
  setMaxListeners(0, over.signal);
  const around = { gateways, connections, answers, thinkMs, over: over.signal };
  const clients = Array.from(
    { length: settings.clients },
    (_, at) => new LoadClient(`c${at + 1}`, places[at % places.length], random.split(), around),
  );

  const startMs = monotonicMs();
  const timer = setTimeout(() => over.abort(), durationMs);
  const working = Promise.all([
    ...clients.map((client) => client.run()),
    observer.watch(over.signal),
    ...(killEveryMs === undefined ? [] : [killNowAndThen(gateways, killEveryMs, random.split(), over.signal)]),
    report({ settings, log, observer, answers, kills, startMs, over: over.signal }),
  ]);
  try {
    await working;
  } finally {
    clearTimeout(timer);
    // One of them may have thrown: the others must not go on behind.
    over.abort();
  }
  const workedMs = monotonicMs() - startMs;
  const worked = await log.follow();
  const workEndMs = log.nowMs;
  const returned = killEveryMs === undefined ? undefined : await placesReturned(settings, gateways, connections, log);
  const calls = await log.follow();

  answers.judgeBroken();
  const slices = worstSlices(calls, limitsOf(settings.preset, settings.limit, windowMs));
  const refused = calls.filter(({ status }) => status === 429).length;
  const firstMs = worked[0]?.atMs ?? 0;
  const result = {
    seconds: workedMs / 1_000,
    calls: {
      all: calls.length,
      reads: calls.filter(({ kind }) => kind === 'read').length,
      writes: calls.filter(({ kind }) => kind === 'write').length,
      refused,
    },
    slices,
    firstWindowCalls: worked.filter(({ atMs }) => atMs < firstMs + windowMs).length,
    lastWindowCalls: callsOfLast(windowMs, worked, workEndMs),
    answers: answers.counts.of('status'),
    degraded: answers.counts.of('degraded'),
    brokenConnections: answers.counts.of('broken'),
    modeChanges: observer.changes,
    modeChangesInAMinute: observer.mostInAMinute,
    kills: kills.of('kills'),
    places: returned,
  };
  if (refused > 0) problems.push(`the upstream refused ${refused} calls with 429`);
  for (const { name, worst, limit } of slices) if (worst > limit) problems.push(`${name}: ${worst} in one window, of ${limit}`);
  const unexpected = answers.counts.total('unexpected');
  if (unexpected > 0) problems.push(`clients got ${unexpected} unexpected answers, such as:`, ...answers.unexpected);
  if (returned !== undefined && returned.backAfterMs === undefined) problems.push('places of killed gateways did not come back');
  if (killEveryMs !== undefined && kills.total('kills') === 0) problems.push('no gateway was killed: nothing is shown of kills');
  if (calls.length === 0 || answers.counts.total('status') === 0) problems.push('nothing was called: nothing is shown');
  return { ...result, problems };
}

function gatewayEnv(settings: QuotaProofSettings): Record<string, string> {
  const { preset, limit, windowMs, triggerRatio, enforce, upstreamTimeoutMs } = settings;
  const scaled: Record<string, string> =
    preset === 'google'
      ? {}
      : {
          QUOTA_LIMIT: String(limit),
          QUOTA_WINDOW_MS: String(windowMs),
          QUOTA_MIN_DEGRADED_MS: String(Math.round(windowMs / 3)),
        };
  return {
    ...scaled,
    QUOTA_PRESET: preset,
    QUOTA_TRIGGER_RATIO: String(triggerRatio),
    // As far below as the defaults are.
    QUOTA_EXIT_RATIO: String(triggerRatio * 0.8),
    QUOTA_ENFORCE: String(enforce),
    UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
    LOG_LEVEL: 'error',
  };
}

/** Google's windows as the strictest reading has them: sliding, so that no boundary of a minute forgives anything. */
async function setUpstreamQuota(mockUrl: string, { preset, limit, windowMs }: QuotaProofSettings): Promise<void> {
  const body =
    preset === 'google'
      ? { model: 'google', window: 'sliding' }
      : { model: 'case-study', limit, refillPerSecond: (limit * 1_000) / windowMs };
  await expectOk({ method: 'PUT', url: `${mockUrl}/control/quota`, body });
}

interface Reported {
  readonly settings: QuotaProofSettings;
  readonly log: UpstreamLog;
  readonly observer: ModeObserver;
  readonly answers: Answers;
  readonly kills: Counts;
  readonly startMs: number;
  readonly over: AbortSignal;
}

/** Follows the log closely enough to lose none of it, and prints a line now and then. */
async function report({ settings, log, observer, answers, kills, startMs, over }: Reported): Promise<void> {
  const { windowMs, progressEveryMs, print } = settings;
  const limits = limitsOf(settings.preset, settings.limit, windowMs);
  let printAtMs = startMs + progressEveryMs;
  for (;;) {
    await pause(Math.min(FOLLOW_EVERY_MS, progressEveryMs), over);
    if (over.aborted) return;
    const calls = await log.follow();
    const nowMs = monotonicMs();
    if (nowMs < printAtMs) continue;
    printAtMs += progressEveryMs;
    const slices = worstSlices(calls, limits).map(({ worst, limit }) => `${worst} of ${limit}`);
    print(
      `${((nowMs - startMs) / 1_000).toFixed(0).padStart(4)} s  ${callsOfLast(windowMs, calls, log.nowMs)} calls in the last window, ` +
        `worst ${slices.join(', ')}, ${calls.filter(({ status }) => status === 429).length} times 429, ${observer.lastMode}; ` +
        `answers: ${answers.counts.line('status')}${settings.killEveryMs === undefined ? '' : `; ${kills.total('kills')} kills`}`,
    );
  }
}

function callsOfLast(windowMs: number, calls: readonly LoggedCall[], nowMs: number): number {
  return calls.filter(({ atMs }) => atMs > nowMs - windowMs && atMs <= nowMs).length;
}

/** Waits until the ledger counts no more than the upstream saw; asked by a route that calls nothing upstream. */
async function placesReturned(
  { windowMs, upstreamTimeoutMs, print }: QuotaProofSettings,
  gateways: readonly Gateway[],
  connections: Connections,
  log: UpstreamLog,
): Promise<PlacesReturned> {
  const fromMs = monotonicMs();
  const patienceMs = upstreamTimeoutMs + LEASE_MARGIN_MS + windowMs + PATIENCE_MS;
  print(`the clients have stopped; waiting, ${Math.ceil(patienceMs / 1_000)} s at most, for the places of killed gateways`);
  let first: { counted: number; seen: number } | undefined;
  while (monotonicMs() - fromMs < patienceMs) {
    const gateway = gateways.find(({ isUp }) => isUp);
    const answer = gateway && (await connections.send({ method: 'GET', url: `${gateway.baseUrl}/writes?limit=1` }));
    if (answer?.kind === 'answered' && answer.consumed !== undefined) {
      const calls = await log.follow();
      const seen = callsOfLast(windowMs + ANSWER_MS, calls, log.nowMs);
      first ??= { counted: answer.consumed, seen };
      if (answer.consumed <= seen)
        return { countedAtTheEnd: first.counted, seenAtTheEnd: first.seen, backAfterMs: monotonicMs() - fromMs };
    }
    await pause(LOOK_EVERY_MS);
  }
  return { countedAtTheEnd: first?.counted ?? NaN, seenAtTheEnd: first?.seen ?? NaN };
}

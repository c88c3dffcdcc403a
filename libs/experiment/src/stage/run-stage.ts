/** One stage under one load: a mock, a Redis and a gateway that are its own, the load, the drain, and what all of them say afterwards. */
import { startStack } from '@app/local-stack';
import { expectOk, UpstreamLog, type LoggedCall } from '@app/proof';
import { monotonicMs, pause } from '@app/platform';
import { countOutcomes } from '../figures/over-time';
import { OpenLoad, type AnsweredRequest, type PlannedRequest } from '../load/open-load';
import { isLost, OUTCOMES } from '../load/outcomes';
import { gatewayEnvOf, type Scale, type StageName } from '../settings';
import { compareKept, keysInSpreadsheet, type KeptWrites } from './kept-writes';
import { ProcessSampler, type ProcessSample } from './process-sampler';
import { allReceipts, waitUntilDrained, type WriteReceipt } from './receipts';

export interface StageOptions {
  readonly stage: StageName;
  readonly plan: readonly PlannedRequest[];
  readonly durationMs: number;
  readonly scale: Scale;
  /** Each line says which stage it speaks of. */
  readonly print: (line: string) => void;
  readonly over: AbortSignal;
}

/** What was seen, raw. Times are milliseconds since the beginning of the load. */
export interface StageRecord {
  readonly stage: StageName;
  readonly requests: readonly AnsweredRequest[];
  readonly calls: readonly LoggedCall[];
  readonly samples: readonly ProcessSample[];
  readonly samplesUnavailable?: string;
  /** Of all writes that the gateway accepted into its log; stages that write straight through have none. */
  readonly receipts: readonly WriteReceipt[];
  readonly startWallMs: number;
  readonly drained: boolean;
  readonly kept: KeptWrites;
}

export class Interrupted extends Error {}

/** The kernel counts processor time in hundredths of a second: shorter looks would show nothing but that. */
const SAMPLE_LEAST_MS = 250;

const PROGRESS_EVERY_MS = 10_000;
const KEY_PREFIX = 'LOAD';

/** Windows that a backlog may take to drain after the load; seconds for the machine's own delays. */
const DRAIN_WINDOWS_MAX = 3;
const DRAIN_PATIENCE_MS = 20_000;

export async function runStage(options: StageOptions): Promise<StageRecord> {
  const { stage, scale, over } = options;
  stopIf(over);
  const stack = await startStack({ gatewayEnv: gatewayEnvOf(stage, scale), mockEnv: { MOCK_QUOTA: 'case-study' } });
  try {
    stopIf(over);
    const [gateway] = stack.gateways;
    return await observe(options, { gatewayUrl: gateway.baseUrl, gatewayPid: gateway.pid, mockUrl: stack.mock.baseUrl });
  } catch (error) {
    // What broke while everything was being stopped was broken by that.
    stopIf(over);
    throw error;
  } finally {
    await stack.stop();
  }
}

interface Surroundings {
  readonly gatewayUrl: string;
  readonly gatewayPid: number;
  readonly mockUrl: string;
}

async function observe(options: StageOptions, { gatewayUrl, gatewayPid, mockUrl }: Surroundings): Promise<StageRecord> {
  const { stage, plan, durationMs, scale, print, over } = options;
  const { limit, windowMs } = scale;
  const quota = { model: 'case-study', limit, refillPerSecond: (limit * 1_000) / windowMs };
  await expectOk({ method: 'PUT', url: `${mockUrl}/control/quota`, body: quota });

  const log = new UpstreamLog(mockUrl);
  const load = new OpenLoad({ rowsUrl: `${gatewayUrl}/sheets/orders/rows`, plan, keyPrefix: KEY_PREFIX, over });
  const sampler = new ProcessSampler(gatewayPid, Math.max(SAMPLE_LEAST_MS, windowMs / 120));
  const loadOver = new AbortController();
  const watching = AbortSignal.any([over, loadOver.signal]);
  const beside = Promise.all([sampler.run(watching), tellProgress(options, load, log, watching)]);
  try {
    await load.run();
    // The last request is a little before the end of the cool-down.
    await pause(Math.max(0, durationMs - load.elapsedMs), over);
  } finally {
    loadOver.abort();
    await beside;
  }
  stopIf(over);

  const drainFromMs = monotonicMs();
  const drained =
    stage !== 'full' || (await waitUntilDrained(gatewayUrl, DRAIN_WINDOWS_MAX * windowMs + DRAIN_PATIENCE_MS, over));
  stopIf(over);
  const kept = compareKept(load.acknowledgedKeys, await keysInSpreadsheet(mockUrl), KEY_PREFIX);
  print(
    `done: ${load.answered.length} requests, ${load.answered.filter(({ outcome }) => isLost(outcome)).length} lost; ` +
      `${kept.once} of ${kept.acknowledged} acknowledged writes are in the spreadsheet exactly once` +
      (stage === 'full' ? ` (waited ${((monotonicMs() - drainFromMs) / 1_000).toFixed(1)} s for the drain)` : ''),
  );
  return {
    stage,
    requests: load.answered,
    calls: (await log.follow()).map((call) => ({ ...call, atMs: call.atMs - load.startWallMs })),
    samples: sampler.samples,
    samplesUnavailable: sampler.unavailable,
    receipts: stage === 'full' ? await allReceipts(gatewayUrl) : [],
    startWallMs: load.startWallMs,
    drained,
    kept,
  };
}

async function tellProgress(options: StageOptions, load: OpenLoad, log: UpstreamLog, over: AbortSignal): Promise<void> {
  const { plan, durationMs, scale, print } = options;
  const everyMs = Math.max(2_000, PROGRESS_EVERY_MS * Math.min(1, scale.timeScale * 4));
  for (;;) {
    await pause(everyMs, over);
    if (over.aborted) return;
    const calls = await log.follow();
    const inWindow = calls.filter(({ atMs }) => atMs > log.nowMs - scale.windowMs).length;
    const counts = countOutcomes(load.answered);
    const told = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`);
    print(
      `${(load.elapsedMs / 1_000).toFixed(0).padStart(4)} of ${(durationMs / 1_000).toFixed(0)} s: ${load.sent} of ${plan.length} sent ` +
        `(${told.join(', ')}), ${inWindow} upstream calls in the last window of ${scale.limit}`,
    );
  }
}

function stopIf(over: AbortSignal): void {
  if (over.aborted) throw new Interrupted();
}

/** The same load on each stage, profile after profile. */
import { setMaxListeners } from 'node:events';
import { cpus, loadavg, totalmem } from 'node:os';
import { Random } from '@app/proof';
import { figuresOf, type StageFigures } from './figures/stage-figures';
import { arrivalsOf } from './load/arrivals';
import type { PlannedRequest } from './load/open-load';
import { drawOperation } from './load/operations';
import { PHASE_NAMES, PROFILES, secondsOf, type PhaseName, type ProfileName } from './load/profiles';
import { unprotectedLossOf } from './load/unprotected-loss';
import { scaleOf, type ExperimentSettings, type Scale, type StageName } from './settings';
import { runStage } from './stage/run-stage';

export interface ProfileFigures {
  readonly profile: ProfileName;
  readonly durationMs: number;
  readonly requests: number;
  /** By arithmetic: what an unprotected application would lose. */
  readonly expectedLoss: number;
  readonly phases: readonly { readonly name: PhaseName; readonly fromMs: number; readonly toMs: number }[];
  readonly stages: readonly StageFigures[];
}

export interface Experiment {
  readonly settings: ExperimentSettings;
  readonly scale: Scale;
  readonly startedAt: string;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly system: string;
    readonly node: string;
    /** Runnable processes on average of the minute before, where the system tells: work beside the experiment. */
    readonly loadBefore: number;
  };
  readonly profiles: readonly ProfileFigures[];
  readonly problems: readonly string[];
}

/** For starting, draining and stopping a stage. */
const AROUND_A_STAGE_MS = 8_000;

export async function runExperiment(
  settings: ExperimentSettings,
  { print, over }: { print: (line: string) => void; over: AbortSignal },
): Promise<Experiment> {
  // Every process, pause and connection of the run listens.
  setMaxListeners(0, over);
  const scale = scaleOf(settings.timeScale);
  const startedAt = new Date().toISOString();
  const machine = machineNow();
  print(announcement(settings, scale));
  const profiles: ProfileFigures[] = [];
  for (const profile of settings.profiles) profiles.push(await runProfile(profile, settings, scale, { print, over }));
  const problems = profiles.flatMap(({ profile, stages }) =>
    stages.flatMap(({ stage, problems: found }) => found.map((problem) => `${profile}, ${stage}: ${problem}`)),
  );
  return { settings, scale, startedAt, machine, profiles, problems };
}

async function runProfile(
  profile: ProfileName,
  settings: ExperimentSettings,
  scale: Scale,
  { print, over }: { print: (line: string) => void; over: AbortSignal },
): Promise<ProfileFigures> {
  const legs = PROFILES[profile];
  const durationMs = secondsOf(legs) * 1_000 * scale.timeScale;
  const random = new Random(settings.seed);
  const plan = arrivalsOf(legs, scale.timeScale).map((arrival): PlannedRequest => ({
    ...arrival,
    operation: drawOperation(random),
  }));
  const expectedLoss = unprotectedLossOf(plan, scale.limit, scale.windowMs);
  const run = async (stage: StageName): Promise<StageFigures> => {
    const say = (line: string): void => print(`${profile} ${stage.padEnd(5)}  ${line}`);
    const record = await runStage({ stage, plan, durationMs, scale, print: say, over });
    return figuresOf(record, durationMs, scale);
  };
  return {
    profile,
    durationMs,
    requests: plan.length,
    expectedLoss,
    phases: phasesOf(profile, scale.timeScale),
    stages: await (settings.sideBySide ? allAtOnce(settings.stages, run) : oneByOne(settings.stages, run)),
  };
}

async function oneByOne<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

/** Waits for all, whatever became of one: each has processes to stop. */
async function allAtOnce<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = await Promise.allSettled(items.map(run));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

function phasesOf(profile: ProfileName, timeScale: number): ProfileFigures['phases'] {
  let fromMs = 0;
  return PHASE_NAMES.map((name) => {
    const toMs = fromMs + secondsOf(PROFILES[profile].filter(({ phase }) => phase === name)) * 1_000 * timeScale;
    const phase = { name, fromMs, toMs };
    fromMs = toMs;
    return phase;
  });
}

function announcement({ profiles, stages, seed, timeScale, sideBySide }: ExperimentSettings, { limit, windowMs }: Scale): string {
  const rounds = profiles.map((profile) => {
    const onceMs = secondsOf(PROFILES[profile]) * 1_000 * timeScale + AROUND_A_STAGE_MS;
    return sideBySide ? onceMs : onceMs * stages.length;
  });
  const seconds = rounds.reduce((sum, ms) => sum + ms, 0) / 1_000;
  const time = seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
  return (
    `profiles ${profiles.join(', ')}; stages ${stages.join(', ')}, ${sideBySide ? 'side by side' : 'one after another'}; ` +
    `${limit} calls in ${windowMs / 1_000} s; seed ${seed}; this takes about ${time}`
  );
}

function machineNow(): Experiment['machine'] {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    system: process.platform,
    node: process.version,
    loadBefore: loadavg()[0],
  };
}

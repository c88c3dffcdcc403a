/** `node tools/simulate.mjs --seed N --runs M [--redis] [--json FILE]`: the script gives the address of a private Redis. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareWithRedis } from './compare-with-redis';
import type { TracedStep } from './counter';
import { Reporter, reportText } from './report';
import { runBaseline, runOnce } from './run';
import { SCENARIO_KINDS, type ScenarioKind } from './scenario';

const USAGE = `usage: npm run simulate -- [--seed N] [--runs M] [--kind ${SCENARIO_KINDS.join('|')}] [--redis] [--json FILE]
  --seed   of the first run; the others count up from it (default: 1)
  --runs   how many (default: 1000)
  --kind   only scenarios of one kind
  --redis  also take every step in the Lua scripts on a private Redis, and compare
  --json   write the report to a file`;

export interface SimulationServices {
  /** Gives the address of a Redis that may be filled at will. */
  readonly startRedis: () => Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** Gives the exit code: 0 where every run kept every invariant. */
export async function simulate(args: readonly string[], services: SimulationServices): Promise<number> {
  let values: { seed?: string; runs?: string; kind?: string; redis?: boolean; json?: string };
  try {
    const string = { type: 'string' } as const;
    const options = { seed: string, runs: string, kind: string, json: string, redis: { type: 'boolean' } } as const;
    values = parseArgs({ args: [...args], options }).values;
    for (const name of ['seed', 'runs'] as const)
      if (values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
        throw new Error(`--${name}: expected a whole number, got ${values[name]}`);
    if (values.kind !== undefined && !SCENARIO_KINDS.includes(values.kind as ScenarioKind))
      throw new Error(`--kind: expected one of ${SCENARIO_KINDS.join(', ')}, got ${values.kind}`);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  const firstSeed = Number(values.seed ?? 1);
  const runs = Number(values.runs ?? 1_000);
  const kind = values.kind as ScenarioKind | undefined;
  const redis = values.redis ? await services.startRedis() : undefined;
  try {
    const reporter = new Reporter(firstSeed);
    const beganAtMs = performance.now();
    let steps = 0;
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const trace: TracedStep[] | undefined = redis && [];
      const run = runOnce(seed, { kind, trace });
      reporter.addRun(run);
      if (run.kind === 'whole-limit') reporter.addBaseline(seed, runBaseline(seed));
      if (redis === undefined || trace === undefined) continue;
      steps += trace.length;
      const difference = await compareWithRedis(redis.url, run, trace);
      if (difference) reporter.addFailure(seed, [difference]);
    }
    const report = reporter.report();
    console.log(reportText(report));
    if (redis) console.log(`compared with Redis  ${steps} steps of the Lua scripts with the policy`);
    console.log(`took                 ${((performance.now() - beganAtMs) / 1_000).toFixed(1)} s`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    await redis?.stop();
  }
}

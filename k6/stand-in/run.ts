/**
 * Runs a script's scenario functions: setup, the scenarios in the order of their start, teardown. Iterations follow each other as
 * fast as the answers come; the times and rates of the executors are k6's business and are checked as arithmetic instead.
 */
import type { Options } from 'k6/options';
import execution from './execution.ts';
import { endWorker } from './http.ts';
import { checksMissed } from './k6.ts';
import { missedThresholds, select, withTags } from './samples.ts';

export { endWorker };

export interface Script {
  options: Options;
  setup?: () => void;
  teardown?: () => void;
  [exported: string]: unknown;
}
export interface Run {
  /** By k6's notation: `name` or `name{tag:value}`. */
  samples: (selector: string) => number[];
  checksMissed: string[];
  thresholdsMissed: string[];
}

const seconds = (duration = '0s') => Number.parseFloat(duration);

export async function runScript(script: Script, iterations: Record<string, number>): Promise<Run> {
  try {
    script.setup?.();
    const scenarios = Object.entries(script.options.scenarios ?? {});
    scenarios.sort(([, a], [, b]) => seconds(a.startTime) - seconds(b.startTime));
    for (const [name, { exec = 'default', tags }] of scenarios) {
      const iterate = script[exec];
      if (typeof iterate !== 'function') throw new Error(`scenario ${name} wants '${exec}', which the script does not export`);
      for (let iteration = 0; iteration < (iterations[name] ?? 0); iteration++) {
        execution.scenario = { name, iterationInTest: iteration };
        withTags({ scenario: name, ...tags }, () => void (iterate as () => void)());
      }
    }
    script.teardown?.();
    const thresholds = (script.options.thresholds ?? {}) as Record<string, string[]>;
    return { samples: select, checksMissed, thresholdsMissed: missedThresholds(thresholds) };
  } finally {
    await endWorker();
  }
}

/** Takes the steps of a run in the Lua scripts, their clock moved to each step's time, and compares every answer. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { closeRedis, connectRedis, waitUntilReady } from '@app/platform';
import { QuotaKeys } from '../ledger/keys';
import { loadLedgerScripts, readReply } from '../ledger/scripts';
import { MOVED_CLOCK_INCLUDE, movedClockKey } from '../testing/moved-clock';
import type { TracedStep } from './counter';
import { scenarioOf, type ScenarioKind } from './scenario';

/** So many steps are on their way to Redis at once. */
const STEPS_TOGETHER = 500;

/** Undefined: no step differs. Otherwise the first that does. */
export async function compareWithRedis(
  url: string,
  { seed, kind }: { readonly seed: number; readonly kind: ScenarioKind },
  trace: readonly TracedStep[],
): Promise<string | undefined> {
  const redis = connectRedis(url, 'worker');
  try {
    await waitUntilReady(redis, 5_000);
    const scenario = scenarioOf(seed, kind);
    const scripts = loadLedgerScripts(MOVED_CLOCK_INCLUDE);
    const prefix = `simulation:${randomUUID()}:`;
    const keys = new QuotaKeys(prefix);
    const take = async ({ command, gates, args, nowMs }: TracedStep): Promise<unknown> => {
      void redis.set(movedClockKey(prefix), String(nowMs));
      const rules = gates.map(({ definition }) => JSON.stringify(scenario.rules(definition)));
      const keysOfGates = gates.flatMap(({ quotaId }) => keys.of(quotaId));
      return readReply(await scripts[command].run(redis, keysOfGates, [...args, ...rules]));
    };
    for (let first = 0; first < trace.length; first += STEPS_TOGETHER) {
      const steps = trace.slice(first, first + STEPS_TOGETHER);
      const replies = await Promise.all(steps.map(take));
      const place = steps.findIndex((step, index) => !isDeepStrictEqual(plain(step.reply), replies[index]));
      if (place < 0) continue;
      const { command, args, reply } = steps[place];
      return `step ${first + place} (${command} ${args.join(' ')}): the policy says ${JSON.stringify(reply)}, the script ${JSON.stringify(replies[place])}`;
    }
    return undefined;
  } finally {
    await closeRedis(redis);
  }
}

function plain(reply: unknown): unknown {
  return JSON.parse(JSON.stringify(reply)) as unknown;
}

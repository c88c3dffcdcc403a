/** The scripts on a real Redis against the policy in memory, over random histories: every reply is the same. */
import { randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import fc from 'fast-check';
import { LANES } from '../policy/lane';
import type { QuotaDefinition } from '../policy/quota-definition';
import { peek, PolicyQuota, release, reportRefusal, reserve, settle, type PolicyReply } from '../policy/quota-policy';
import { MOVED_CLOCK_INCLUDE, movedClockKey } from '../testing/moved-clock';
import { QuotaKeys } from './keys';
import { rulesOf, settleOptions } from './quota-options';
import { loadLedgerScripts, readReply, type LedgerScripts } from './scripts';

const step = fc.record({
  advanceMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 300 }) },
    { weight: 2, arbitrary: fc.integer({ min: 300, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 400_000 }) },
  ),
  command: fc.oneof(
    { weight: 10, arbitrary: fc.constant('reserve' as const) },
    { weight: 1, arbitrary: fc.constant('count' as const) },
    { weight: 2, arbitrary: fc.constant('peek' as const) },
    { weight: 5, arbitrary: fc.constant('settle' as const) },
    { weight: 1, arbitrary: fc.constant('release' as const) },
    { weight: 1, arbitrary: fc.constant('report' as const) },
  ),
  lane: fc.constantFrom(...LANES),
  /** Which of two quotas the call counts against. */
  quotas: fc.constantFrom<number[]>([0], [1], [0, 1]),
  choice: fc.nat(),
  stated: fc.constantFrom(0, 0, 7, 40),
});

const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const lane = fc.record({ ceiling: share, ownMax: share, floor: share });
const world = fc.record({
  limits: fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 12 })),
  lanes: fc.record({ direct: lane, drain: lane, refresh: lane, cold: lane }),
  ratios: fc.record({ triggerRatio: share, exitRatio: share, hardMaxShare: share }),
  learntLimitMax: fc.constantFrom(0, 20),
  steps: fc.array(step, { minLength: 5, maxLength: 80 }),
});

describe('The scripts and the policy', () => {
  let redis: RedisClient;
  let scripts: LedgerScripts;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'worker');
    await waitUntilReady(redis, 5_000);
    scripts = loadLedgerScripts(MOVED_CLOCK_INCLUDE);
  });
  afterAll(() => closeRedis(redis));

  it('give the same answer at every step of any history, under any shares', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ limits, lanes, ratios, learntLimitMax, steps }) => {
        const definitions = limits.map((limit, index): QuotaDefinition => ({
          id: `q${index}`,
          limit,
          windowMs: 60_000,
          access: 'any',
          per: 'project',
        }));
        const options = { ...settleOptions({ redis, keyPrefix: '', quotas: definitions }), ...ratios, lanes };
        const rules = definitions.map((definition) => ({ ...rulesOf(options, definition), learntLimitMax }));
        const policies = rules.map((each) => new PolicyQuota(each));
        const prefix = `test:${randomUUID()}:`;
        const keys = new QuotaKeys(prefix);
        const calls: { id: string; lane: (typeof LANES)[number]; quotas: number[] }[] = [];
        let nowMs = 1_700_000_000_000;

        for (const [index, { advanceMs, command, lane, quotas, choice, stated }] of steps.entries()) {
          nowMs += advanceMs;
          void redis.set(movedClockKey(prefix), String(nowMs));
          const ask = async (name: keyof LedgerScripts, of: number[], args: (string | number)[]): Promise<PolicyReply> => {
            const keysOf = of.flatMap((quota) => keys.of(definitions[quota].id));
            const rulesOfAll = of.map((quota) => JSON.stringify(rules[quota]));
            return readReply(await scripts[name].run(redis, keysOf, [...args, ...rulesOfAll]));
          };
          const policy = (of: number[]): PolicyQuota[] => of.map((quota) => policies[quota]);
          const chosen = calls[choice % Math.max(1, calls.length)];
          let expected: PolicyReply;
          let actual: PolicyReply;
          if (command === 'reserve' || command === 'count') {
            const call = { id: `c${index}`, lane, quotas };
            const enforce = command === 'reserve';
            expected = reserve(policy(quotas), { ...call, enforce }, nowMs);
            actual = await ask('reserve', quotas, [lane, call.id, enforce ? '1' : '0']);
            if (expected.refusal === undefined || !enforce) calls.push(call);
          } else if (command === 'peek') {
            expected = peek(policy(quotas), lane, nowMs);
            actual = await ask('peek', quotas, [lane]);
          } else if (command === 'report') {
            expected = reportRefusal(policies[quotas[0]], stated, nowMs);
            actual = await ask('reportRefusal', [quotas[0]], [stated]);
          } else if (chosen === undefined) {
            continue;
          } else {
            const end = command === 'settle' ? settle : release;
            expected = end(policy(chosen.quotas), chosen, nowMs);
            actual = await ask(command, chosen.quotas, [chosen.lane, chosen.id]);
          }
          expect(actual).toEqual(JSON.parse(JSON.stringify(expected)));
          if (expected.refusal) expect(expected.refusal.retryAtMs).toBeGreaterThan(nowMs);
        }
      }),
      { numRuns: 150 },
    );
  });
});

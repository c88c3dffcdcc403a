/** A ledger for tests: on a key prefix of its own, with a clock that the test moves. */
import { randomUUID } from 'node:crypto';
import type { RedisClient } from '@app/platform';
import { QuotaLedger } from '../ledger/quota-ledger';
import type { QuotaOptions } from '../ledger/quota-options';
import { MOVED_CLOCK_INCLUDE, MovedClock } from './moved-clock';

export interface TestLedger {
  readonly ledger: QuotaLedger;
  readonly clock: MovedClock;
}

/** With the `clock` of another, a ledger of another process on the same quotas. */
export async function startTestLedger(
  redis: RedisClient,
  options: Partial<QuotaOptions> = {},
  clock: MovedClock = new MovedClock(redis, `test:${randomUUID()}:`),
): Promise<TestLedger> {
  // A test starts many ledgers on one connection; each listens for its reconnects.
  redis.setMaxListeners(0);
  await clock.set(clock.nowMs);
  const ledger = new QuotaLedger(
    { quotas: 'case-study', redisAnswerMs: 5_000, ...options, redis, keyPrefix: clock.keyPrefix },
    { luaIncludes: MOVED_CLOCK_INCLUDE, monotonicMs: () => clock.nowMs },
  );
  return { ledger, clock };
}

/** One quota whose lane `direct` may use all of it: for tests of the counting itself. */
export function onlyDirect(limit: number, windowMs = 60_000): Partial<QuotaOptions> {
  return {
    quotas: [{ id: 'only', limit, windowMs, access: 'any', per: 'project' }],
    triggerRatio: 1,
    hardMaxShare: 1,
    lanes: { drain: { ceiling: 0.4, floor: 0 }, cold: { floor: 0 } },
  };
}

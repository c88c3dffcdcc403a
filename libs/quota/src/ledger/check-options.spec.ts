import { connectRedis, type RedisClient } from '@app/platform';
import { QuotaLedger } from './quota-ledger';
import type { QuotaOptions } from './quota-options';

describe('Options that contradict each other', () => {
  let redis: RedisClient;
  beforeAll(() => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
  });
  afterAll(() => redis.disconnect());

  const start = (options: Partial<QuotaOptions>): QuotaLedger =>
    new QuotaLedger({ redis, keyPrefix: 'test:', quotas: 'case-study', ...options });

  it.each<[string, Partial<QuotaOptions>, RegExp]>([
    [
      'a lease that ends before the deadline',
      { leaseMs: 10_000, deadlineMs: 10_000 },
      /leaseMs \(10000\) must be at least deadlineMs/,
    ],
    ['an exit above the trigger', { exitRatio: 0.6 }, /exitRatio \(0\.6\) must be below triggerRatio \(0\.5\)/],
    [
      'a trigger above the hard maximum',
      { triggerRatio: 0.95 },
      /triggerRatio \(0\.95\) must not be above hardMaxShare \(0\.9\)/,
    ],
    [
      'a lane that could hold degraded mode alone',
      { lanes: { drain: { ownMax: 0.5 } } },
      /lanes\.drain: the smaller of .* above exitRatio/,
    ],
    [
      'a floor above the own maximum',
      { lanes: { cold: { floor: 0.3 } } },
      /lanes\.cold\.floor \(0\.3\) must not be above lanes\.cold\.ownMax/,
    ],
    ['floors that leave nothing', { lanes: { direct: { floor: 0.8 } } }, /all floors together/],
    ['a share above one', { hardMaxShare: 1.5 }, /hardMaxShare: expected a share above 0 and up to 1, got 1\.5/],
    ['no quotas', { quotas: [] }, /quotas: expected at least one/],
    ['an unknown preset', { quotas: 'none' as never }, /quotas: expected at least one/],
    ['a limit of nothing', { quotas: [{ id: 'q', limit: 0, windowMs: 1, access: 'any', per: 'project' }] }, /quotas\.q\.limit/],
    ['a memory longer than demand', { recheckMs: 3_000 }, /demandMs \(2000\) must be above recheckMs \(3000\)/],
    ['a duration of no length', { redisAnswerMs: 0 }, /redisAnswerMs: expected a whole number of milliseconds/],
  ])('%s: are refused at start, by name', (_what, options, message) => {
    expect(() => start(options)).toThrow(message);
  });

  it('are all told together', () => {
    expect(() => start({ exitRatio: 0.6, leaseMs: 1 })).toThrow(/leaseMs[^]*exitRatio|exitRatio[^]*leaseMs/);
  });

  it('do not arise from a lower exit alone: the default shares follow it', () => {
    expect(() => start({ exitRatio: 0.15 }).close()).not.toThrow();
  });
});

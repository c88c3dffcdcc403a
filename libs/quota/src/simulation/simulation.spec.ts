import { compareWithRedis } from './compare-with-redis';
import { PolicyCounter, type TracedStep } from './counter';
import { Reporter, reportText } from './report';
import { runBaseline, runOnce } from './run';
import { SCENARIO_KINDS, type Scenario } from './scenario';
import { simulate } from './main';

/** Every test run looks at other seeds as well: a failure prints the seed that replays it. */
const FRESH_SEED = 100_000 + (Math.floor(Date.now() / 1_000) % 1_000_000);

describe('The simulation', () => {
  it('keeps every invariant over known and fresh seeds, under every upstream model', () => {
    const reporter = new Reporter(1);
    for (const first of [1, FRESH_SEED]) for (let seed = first; seed < first + 20; seed += 1) reporter.addRun(runOnce(seed));
    const report = reporter.report();
    if (report.failures.length > 0) throw new Error(reportText(report));
    expect(report.worst.count).toBeLessThanOrEqual(report.worst.limit);
    expect(Object.keys(report.byUpstream).sort()).toEqual(['fixed', 'sliding', 'token-bucket']);
  });

  it('reaches the limit and does not pass it where one lane may use all of it; the counter of the case study passes it', () => {
    for (const seed of [3, 8, 11]) {
      const ours = runOnce(seed, { kind: 'whole-limit' });
      expect(ours).toMatchObject({ violations: [], refusedByUpstream: 0 });
      expect(ours.worst.count).toBeLessThanOrEqual(300);
      expect(runBaseline(seed).count).toBeGreaterThan(300);
    }
  });

  it('shows what counting at the start alone would let through, though the log is exact', () => {
    class CountsAtTheStart extends PolicyCounter {
      override settle(): void {}
    }
    const withoutLease = (scenario: Scenario): PolicyCounter =>
      new CountsAtTheStart({ ...scenario, rules: (quota) => ({ ...scenario.rules(quota), leaseMs: 0 }) });
    const worst = [3, 8, 11].map((seed) => runBaseline(seed, withoutLease).count);
    expect(Math.max(...worst)).toBeGreaterThan(300);
  });

  it('replays a run from its seed', () => {
    expect(runOnce(42)).toEqual(runOnce(42));
  });

  it('finds the scripts on Redis of one mind with the policy, at every step', async () => {
    for (const [index, kind] of SCENARIO_KINDS.filter((each) => each !== 'stranger').entries()) {
      const trace: TracedStep[] = [];
      const run = runOnce(index, { kind, trace });
      const url = process.env.TEST_REDIS_URL as string;
      expect(await compareWithRedis(url, run, trace.slice(0, 1_500))).toBeUndefined();
    }
  });

  it('says what it expects where an argument is wrong', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const services = { startRedis: () => Promise.reject(new Error('not needed')) };
    expect(await simulate(['--runs', 'many'], services)).toBe(2);
    expect(told.mock.calls[0][0]).toMatch(/--runs: expected a whole number, got many/);
    told.mockRestore();
  });
});

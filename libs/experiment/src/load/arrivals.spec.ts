import { arrivalsOf } from './arrivals';
import { PHASE_NAMES, PROFILE_NAMES, PROFILES, secondsOf, type Leg } from './profiles';
import { unprotectedLossOf } from './unprotected-loss';

const flat = (seconds: number, perMinute: number): Leg => ({
  phase: 'peak',
  seconds,
  fromPerMinute: perMinute,
  toPerMinute: perMinute,
});

describe('the times at which requests arrive', () => {
  it('are evenly spaced at a steady rate, half a space from the edges', () => {
    expect(arrivalsOf([flat(2, 120)]).map(({ dueMs }) => dueMs)).toEqual([250, 750, 1_250, 1_750]);
  });

  it('come closer as the rate rises, and are as many as lie under the line', () => {
    const rising = arrivalsOf([{ phase: 'ramp', seconds: 10, fromPerMinute: 0, toPerMinute: 1_200 }]);
    expect(rising).toHaveLength(100);
    const gaps = rising.slice(1).map(({ dueMs }, at) => dueMs - rising[at].dueMs);
    expect(gaps.every((gap, at) => at === 0 || gap < gaps[at - 1])).toBe(true);
    // A quarter of the requests comes in the first half of the time.
    expect(rising.filter(({ dueMs }) => dueMs < 5_000)).toHaveLength(25);
    expect(arrivalsOf([{ phase: 'ramp', seconds: 10, fromPerMinute: 1_200, toPerMinute: 0 }])).toHaveLength(100);
  });

  it('lose no request where one leg ends and the next begins', () => {
    expect(arrivalsOf([flat(0.7, 60), flat(0.7, 60), flat(0.6, 60)]).map(({ dueMs }) => Math.round(dueMs))).toEqual([500, 1_500]);
  });

  it.each(PROFILE_NAMES)(
    '%s: in order, within the run, in every phase; a tenth of the time is a tenth of the requests',
    (name) => {
      const arrivals = arrivalsOf(PROFILES[name]);
      expect(arrivals.every(({ dueMs }, at) => at === 0 || dueMs > arrivals[at - 1].dueMs)).toBe(true);
      expect(arrivals[arrivals.length - 1].dueMs).toBeLessThanOrEqual(secondsOf(PROFILES[name]) * 1_000);
      expect([...new Set(arrivals.map(({ phase }) => phase))]).toEqual([...PHASE_NAMES]);
      expect(Math.abs(arrivalsOf(PROFILES[name], 0.1).length - arrivals.length / 10)).toBeLessThanOrEqual(1);
    },
  );

  it('are those of the k6 scripts, which run without anything from here', () => {
    type K6Phase = { fromPerMinute: number; legs: { seconds: number; toPerMinute: number }[] };
    const k6 = jest.requireActual<{ PROFILES: Record<string, { phases: Record<string, K6Phase> }> }>('../../../../k6/profiles');
    for (const name of PROFILE_NAMES) {
      const theirs = Object.entries(k6.PROFILES[name].phases).flatMap(([phase, { fromPerMinute, legs }]) =>
        legs.map(({ seconds, toPerMinute }, at) => ({
          phase: phase.replace('_', '-'),
          seconds,
          fromPerMinute: at === 0 ? fromPerMinute : legs[at - 1].toPerMinute,
          toPerMinute,
        })),
      );
      expect(PROFILES[name]).toEqual(theirs);
    }
  });
});

describe('what an application without protection loses, by arithmetic', () => {
  const lossOf = (name: (typeof PROFILE_NAMES)[number]): number => unprotectedLossOf(arrivalsOf(PROFILES[name]), 300, 60_000);

  it('is what the case says of its two loads', () => {
    expect(arrivalsOf(PROFILES.mild).length).toBe(1_265);
    expect(100 * lossOf('mild')).toBeCloseTo(12.7, 0);
    expect(100 * lossOf('heavy')).toBeCloseTo(78, 0);
  });

  it('counts a bucket that refills evenly', () => {
    const at = (...times: number[]) => times.map((dueMs) => ({ dueMs }));
    expect(unprotectedLossOf(at(0, 1, 2, 3), 2, 1_000)).toBe(0.5);
    // Half a second later one place is free again.
    expect(unprotectedLossOf(at(0, 1, 501, 502), 2, 1_000)).toBe(0.25);
    expect(unprotectedLossOf([], 2, 1_000)).toBe(0);
  });
});

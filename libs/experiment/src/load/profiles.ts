/**
 * How many requests arrive when: two timelines of five minutes, each in the four phases of the case. The same rates as `k6/profiles.ts`
 * (a test holds them equal: k6 runs its scripts without anything from here).
 *
 *   mild   calm at 1.6/s until 160 s, peaks of 16/s at 180 s and 240 s: 1,260 requests, of which the mock's quota, a bucket of
 *          300 calls that refills at 5/s, refuses 12.7 % when every request is one call
 *   heavy  1/s for a minute, then 35/s for two and a half: about 6,400 requests, of which it refuses 78 %
 */
export const PROFILE_NAMES = ['mild', 'heavy'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export const PHASE_NAMES = ['warm-up', 'ramp', 'peak', 'cool-down'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** The rate moves in a straight line from one to the other. */
export interface Leg {
  readonly phase: PhaseName;
  readonly seconds: number;
  readonly fromPerMinute: number;
  readonly toPerMinute: number;
}

export const PROFILES: Readonly<Record<ProfileName, readonly Leg[]>> = {
  mild: [
    { phase: 'warm-up', seconds: 160, fromPerMinute: 96, toPerMinute: 96 },
    { phase: 'ramp', seconds: 20, fromPerMinute: 96, toPerMinute: 1_005 },
    { phase: 'peak', seconds: 30, fromPerMinute: 1_005, toPerMinute: 150 },
    { phase: 'peak', seconds: 30, fromPerMinute: 150, toPerMinute: 1_005 },
    { phase: 'cool-down', seconds: 20, fromPerMinute: 1_005, toPerMinute: 96 },
    { phase: 'cool-down', seconds: 40, fromPerMinute: 96, toPerMinute: 96 },
  ],
  heavy: [
    { phase: 'warm-up', seconds: 60, fromPerMinute: 60, toPerMinute: 60 },
    { phase: 'ramp', seconds: 30, fromPerMinute: 60, toPerMinute: 2_100 },
    { phase: 'peak', seconds: 150, fromPerMinute: 2_100, toPerMinute: 2_100 },
    { phase: 'cool-down', seconds: 30, fromPerMinute: 2_100, toPerMinute: 60 },
    { phase: 'cool-down', seconds: 30, fromPerMinute: 60, toPerMinute: 60 },
  ],
};

export function secondsOf(legs: readonly Leg[]): number {
  return legs.reduce((sum, { seconds }) => sum + seconds, 0);
}

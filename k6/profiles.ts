/**
 * How many requests arrive when: two timelines of five minutes, each in the four phases of the case.
 *
 * The model is open: requests arrive at these rates whether or not earlier ones were answered, as with real clients, so a
 * slow gateway cannot slow the load down and look better for it.
 *
 *   mild   1.6/s until 160 s, peaks of 16/s at 180 s and 240 s: about 1,260 requests, of which a quota of 300 a minute
 *          (a bucket of 300 that refills at 5/s) refuses about 12.7 % when nothing protects them.
 *   heavy  1/s for a minute, then 35/s for two and a half: about 6,400 requests, of which it refuses about 78 %.
 */
import type { ProfileName } from './settings.ts';

export const PHASE_NAMES = ['warm_up', 'ramp', 'peak', 'cool_down'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** The rate moves in a straight line to `toPerMinute` within `seconds`. */
export interface Leg {
  seconds: number;
  toPerMinute: number;
}
export interface Phase {
  fromPerMinute: number;
  legs: readonly Leg[];
}
export interface Profile {
  phases: Record<PhaseName, Phase>;
  /** The share of requests that the stages without protection lose. Wide: the second of a refill is luck, the size is not. */
  lossUnprotected: { above: number; below: number };
  /** The share of writes that the stage `reads` may lose: its reads are protected, its writes are not. */
  writeLossWithReadsProtected: { below: number };
}

export const PROFILES: Record<ProfileName, Profile> = {
  mild: {
    phases: {
      warm_up: { fromPerMinute: 96, legs: [{ seconds: 160, toPerMinute: 96 }] },
      ramp: { fromPerMinute: 96, legs: [{ seconds: 20, toPerMinute: 1_005 }] },
      peak: {
        fromPerMinute: 1_005,
        legs: [
          { seconds: 30, toPerMinute: 150 },
          { seconds: 30, toPerMinute: 1_005 },
        ],
      },
      cool_down: {
        fromPerMinute: 1_005,
        legs: [
          { seconds: 20, toPerMinute: 96 },
          { seconds: 40, toPerMinute: 96 },
        ],
      },
    },
    lossUnprotected: { above: 0.05, below: 0.3 },
    writeLossWithReadsProtected: { below: 0.1 },
  },
  heavy: {
    phases: {
      warm_up: { fromPerMinute: 60, legs: [{ seconds: 60, toPerMinute: 60 }] },
      ramp: { fromPerMinute: 60, legs: [{ seconds: 30, toPerMinute: 2_100 }] },
      peak: { fromPerMinute: 2_100, legs: [{ seconds: 150, toPerMinute: 2_100 }] },
      cool_down: {
        fromPerMinute: 2_100,
        legs: [
          { seconds: 30, toPerMinute: 60 },
          { seconds: 30, toPerMinute: 60 },
        ],
      },
    },
    lossUnprotected: { above: 0.65, below: 0.9 },
    writeLossWithReadsProtected: { below: 0.9 },
  },
};

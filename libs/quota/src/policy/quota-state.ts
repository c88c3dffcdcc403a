import type { Lane } from './lane';

export type Mode = 'direct' | 'degraded';

/** What is remembered of one quota beside its calls. In Redis: a hash with these field names (`demand` as `demand:<lane>`). */
export interface QuotaState {
  mode: Mode;
  degradedSinceMs: number;
  /** How often the mode has changed since the quota was first used. */
  modeChanges: number;
  /** When each lane last asked. */
  demand: Partial<Record<Lane, number>>;
  /** What the upstream said its limit is; 0: nothing. */
  learntLimit: number;
  /** Nothing is granted before this instant, because the upstream refused a call. */
  closedUntilMs: number;
  /** How long the last closing was. */
  closedForMs: number;
  /** Calls per window that others made on the same quota, when they were last noticed. */
  foreignCalls: number;
  foreignSinceMs: number;
  /** How often foreign use was noticed again before its estimate had faded away. */
  foreignEpisodes: number;
}

export function newQuotaState(): QuotaState {
  return {
    mode: 'direct',
    degradedSinceMs: 0,
    modeChanges: 0,
    demand: {},
    learntLimit: 0,
    closedUntilMs: 0,
    closedForMs: 0,
    foreignCalls: 0,
    foreignSinceMs: 0,
    foreignEpisodes: 0,
  };
}

/** What the upstream allows in any window, told apart by what it counts: each limit is held against the mock's own log. */
import { LIMIT, MINUTE_MS, type QuotaPreset } from './settings';
import type { LoggedCall } from './upstream-log';
import { worstWindow } from './worst-window';

export interface Limit {
  readonly name: string;
  readonly counts: 'read' | 'write' | 'any';
  readonly limit: number;
  readonly windowMs: number;
}

export interface WorstSlice extends Limit {
  readonly worst: number;
}

/** The gateways sign in with no credential, so all their calls are one user's. */
const GOOGLE_USER_LIMIT = 60;

export function limitsOf(preset: QuotaPreset, limit: number, windowMs: number): readonly Limit[] {
  if (preset === 'case-study') return [{ name: 'all calls', counts: 'any', limit, windowMs }];
  return (['read', 'write'] as const).flatMap((counts) => [
    { name: `${counts}s of the project`, counts, limit: LIMIT, windowMs: MINUTE_MS },
    { name: `${counts}s of the user`, counts, limit: GOOGLE_USER_LIMIT, windowMs: MINUTE_MS },
  ]);
}

/** Refused calls count as well: they reached the upstream. */
export function worstSlices(calls: readonly LoggedCall[], limits: readonly Limit[]): readonly WorstSlice[] {
  return limits.map((limit) => {
    const counted = calls.filter(({ kind }) => limit.counts === 'any' || kind === limit.counts);
    return {
      ...limit,
      worst: worstWindow(
        counted.map(({ atMs }) => atMs),
        limit.windowMs,
      ),
    };
  });
}

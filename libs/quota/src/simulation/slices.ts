/** The window in which most calls arrived. */
export interface Slice {
  readonly quotaId: string;
  readonly count: number;
  readonly limit: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** `arrivals` in order of time. Of windows with equal counts, the first. */
export function worstSlice(quotaId: string, arrivals: readonly number[], limit: number, windowMs: number): Slice {
  let worst: Slice = { quotaId, count: 0, limit, fromMs: 0, toMs: 0 };
  let first = 0;
  arrivals.forEach((toMs, last) => {
    while (arrivals[first] <= toMs - windowMs) first += 1;
    const count = last - first + 1;
    if (count > worst.count) worst = { quotaId, count, limit, fromMs: arrivals[first], toMs };
  });
  return worst;
}

/** Most of `instants` in any window, its end left out. */
export function mostInWindow(instants: readonly number[], windowMs: number): number {
  return worstSlice('', instants, 0, windowMs).count;
}

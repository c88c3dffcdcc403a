import { monotonicMs } from '@app/platform';
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS } from './drain-options';

/** Pauses per spreadsheet after failures, doubled each time; a success ends them. One broken spreadsheet holds up no other. */
export class Backoff {
  private readonly pauses = new Map<string, { readonly untilMs: number; readonly failures: number }>();

  remainingMs(name: string): number {
    return Math.max(0, (this.pauses.get(name)?.untilMs ?? 0) - monotonicMs());
  }

  /** @returns how long to pause. */
  failed(name: string, atLeastMs = 0): number {
    const failures = (this.pauses.get(name)?.failures ?? 0) + 1;
    const pauseMs = Math.max(atLeastMs, Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (failures - 1)));
    this.pauses.set(name, { untilMs: monotonicMs() + pauseMs, failures });
    return pauseMs;
  }

  succeeded(name: string): void {
    this.pauses.delete(name);
  }
}

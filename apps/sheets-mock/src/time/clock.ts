import { setTimeout as sleep } from 'node:timers/promises';
import { wallMs } from '@app/platform';

/**
 * The only source of time in the mock: quotas, faults and the call log ask it, so that a test can move it. Waiting follows
 * real time; what a moved clock changes is what the time is said to be.
 */
export class Clock {
  private offsetMs = 0;
  private readonly stopping = new AbortController();

  nowMs(): number {
    return wallMs() + this.offsetMs;
  }

  /** Moves the clock on: quotas refill as if that time had passed. */
  advance(durationMs: number): void {
    this.offsetMs += durationMs;
  }

  /** True when the time has passed, false when the mock is stopping or `signal` has ended the wait. */
  async wait(durationMs: number, signal?: AbortSignal): Promise<boolean> {
    if (durationMs <= 0) return !this.stopping.signal.aborted;
    const either = signal ? AbortSignal.any([this.stopping.signal, signal]) : this.stopping.signal;
    return await sleep(durationMs, true, { signal: either, ref: true }).catch(() => false);
  }

  /** Ends all waits: the process is going down. */
  stop(): void {
    this.stopping.abort();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { wallMs } from '@app/platform';

/**
 * The only source of time in the mock: quotas, tokens, faults and the call log ask it, so that a test can move it, set it or stop
 * it. Waiting follows real time; what a moved clock changes is what the time is said to be.
 */
export class Clock {
  private offsetMs = 0;
  private frozenAtMs?: number;
  private readonly stopping = new AbortController();

  nowMs(): number {
    return this.frozenAtMs ?? wallMs() + this.offsetMs;
  }

  get isFrozen(): boolean {
    return this.frozenAtMs !== undefined;
  }

  /** Moves the clock on: quotas refill as if that time had passed. */
  advance(durationMs: number): void {
    this.set(this.nowMs() + durationMs);
  }

  set(nowMs: number): void {
    this.offsetMs = nowMs - wallMs();
    if (this.frozenAtMs !== undefined) this.frozenAtMs = nowMs;
  }

  /** It stands still and moves only by `advance` and `set`, or goes on from where it stands. */
  freeze(frozen: boolean): void {
    const nowMs = this.nowMs();
    this.frozenAtMs = frozen ? nowMs : undefined;
    this.set(nowMs);
  }

  /** Real time again. */
  reset(): void {
    this.offsetMs = 0;
    this.frozenAtMs = undefined;
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

/** Three ways to count a number of calls a minute. Each is handed the time; none waits. */

export type WindowKind = 'fixed-minute' | 'sliding' | 'token-bucket';

export interface Meter {
  hasRoom(nowMs: number): boolean;
  take(nowMs: number): void;
  used(nowMs: number): number;
  /** When the window began that is full, where there is one. */
  windowStartMs(nowMs: number): number | undefined;
}

export const MINUTE_MS = 60_000;

export function meterOf(kind: WindowKind, limit: number): Meter {
  if (kind === 'sliding') return new SlidingMeter(limit);
  return kind === 'token-bucket' ? new BucketMeter(limit, (limit / MINUTE_MS) * 1000) : new FixedMinuteMeter(limit);
}

/** Counts anew from each full minute on: what the service's answers suggest. */
export class FixedMinuteMeter implements Meter {
  private window = -1;
  private count = 0;

  constructor(private readonly limit: number) {}

  hasRoom(nowMs: number): boolean {
    return this.used(nowMs) < this.limit;
  }

  take(nowMs: number): void {
    this.used(nowMs);
    this.count += 1;
  }

  used(nowMs: number): number {
    const window = Math.floor(nowMs / MINUTE_MS);
    if (window !== this.window) [this.window, this.count] = [window, 0];
    return this.count;
  }

  windowStartMs(nowMs: number): number {
    return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  }
}

/** Never more than the limit in any minute. */
export class SlidingMeter implements Meter {
  private readonly times: number[] = [];

  constructor(private readonly limit: number) {}

  hasRoom(nowMs: number): boolean {
    return this.used(nowMs) < this.limit;
  }

  take(nowMs: number): void {
    this.times.push(nowMs);
  }

  used(nowMs: number): number {
    while (this.times.length > 0 && this.times[0] <= nowMs - MINUTE_MS) this.times.shift();
    return this.times.length;
  }

  windowStartMs(): undefined {
    return undefined;
  }
}

/** A store of tokens that refills evenly up to its capacity; a call takes one. */
export class BucketMeter implements Meter {
  private tokens: number;
  private filledAtMs?: number;

  constructor(
    private readonly capacity: number,
    private readonly refillPerSecond: number,
  ) {
    this.tokens = capacity;
  }

  hasRoom(nowMs: number): boolean {
    this.refill(nowMs);
    return this.tokens >= 1;
  }

  take(nowMs: number): void {
    this.refill(nowMs);
    this.tokens = Math.max(0, this.tokens - 1);
  }

  used(nowMs: number): number {
    this.refill(nowMs);
    return Math.ceil(this.capacity - this.tokens);
  }

  windowStartMs(): undefined {
    return undefined;
  }

  private refill(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - (this.filledAtMs ?? nowMs));
    this.tokens = Math.min(this.capacity, this.tokens + (elapsedMs / 1000) * this.refillPerSecond);
    this.filledAtMs = Math.max(nowMs, this.filledAtMs ?? nowMs);
  }
}

/** Numbers that a seed determines: a run replays from its seed alone. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
    for (let warmUp = 0; warmUp < 4; warmUp += 1) this.share();
  }

  /** From 0 up to, not including, 1. (mulberry32) */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.share();
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.share() * choices.length)];
  }

  /** The time to the next of events that come at random, `meanMs` apart. */
  gapMs(meanMs: number): number {
    return -Math.log(1 - this.share()) * meanMs;
  }
}

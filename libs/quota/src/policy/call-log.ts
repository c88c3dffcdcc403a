/**
 * The sliding log of one quota, in memory: what the sorted sets are in Redis.
 * A call in flight has its lease's end as score, an answered one the instant of its answer; both count through score + window.
 * Through: a millisecond is named by its beginning, so the answer may have come almost one later than its score says.
 */
import type { Lane } from './lane';

interface LoggedCall {
  readonly id: string;
  readonly lane: Lane;
  readonly scoreMs: number;
}

export class CallLog {
  private readonly calls: LoggedCall[] = [];
  private readonly own: Record<Lane, number> = { direct: 0, drain: 0, refresh: 0, cold: 0 };

  get total(): number {
    return this.calls.length;
  }

  ownOf(lane: Lane): number {
    return this.own[lane];
  }

  /** Drops what has left the window. */
  evict(nowMs: number, windowMs: number): void {
    let gone = 0;
    while (gone < this.calls.length && this.calls[gone].scoreMs < nowMs - windowMs) gone += 1;
    for (const call of this.calls.splice(0, gone)) this.own[call.lane] -= 1;
  }

  /** Adds a call, or moves it where it is present. */
  put(id: string, lane: Lane, scoreMs: number): void {
    this.remove(id);
    let place = this.calls.length;
    while (place > 0 && this.calls[place - 1].scoreMs > scoreMs) place -= 1;
    this.calls.splice(place, 0, { id, lane, scoreMs });
    this.own[lane] += 1;
  }

  has(id: string): boolean {
    return this.calls.some((call) => call.id === id);
  }

  remove(id: string): void {
    for (let place = this.calls.length - 1; place >= 0; place -= 1) {
      if (this.calls[place].id !== id) continue;
      this.own[this.calls[place].lane] -= 1;
      this.calls.splice(place, 1);
      return;
    }
  }

  answered(nowMs: number): number {
    let count = this.calls.length;
    while (count > 0 && this.calls[count - 1].scoreMs > nowMs) count -= 1;
    return count;
  }

  /** When the `k` oldest calls (of one lane, or of all) can be gone at the earliest; one in flight is not answered before now. */
  freedAtMs(k: number, nowMs: number, windowMs: number, lane?: Lane): number {
    const calls = lane === undefined ? this.calls : this.calls.filter((call) => call.lane === lane);
    const last = calls[Math.min(k, calls.length) - 1];
    return last === undefined ? nowMs : Math.min(last.scoreMs, nowMs) + windowMs + 1;
  }
}

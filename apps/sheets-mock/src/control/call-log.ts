import { Injectable } from '@nestjs/common';

/** Calls that are kept: hours of a busy test; each takes about a hundred bytes. */
const CALLS_MAX = 100_000;
/** Dropped in one go, so that a full log does not move its whole list with each call. */
const DROP_COUNT = 1_000;

export interface LoggedCall {
  /** When it arrived, on the mock's clock. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly kind: 'read' | 'write';
  /** 0 while it runs, and for ever where the connection was cut or left hanging. */
  status: number;
}

/** Every call that asked for a place in the quota, refused ones included. */
@Injectable()
export class CallLog {
  private calls: LoggedCall[] = [];
  private count = 0;
  private dropped = 0;

  add(call: LoggedCall): LoggedCall {
    if (this.calls.length >= CALLS_MAX) {
      this.calls = this.calls.slice(DROP_COUNT);
      this.dropped += DROP_COUNT;
    }
    this.calls.push(call);
    this.count += 1;
    return call;
  }

  list(sinceMs = -Infinity): { calls: LoggedCall[]; count: number; dropped: number } {
    return { calls: this.calls.filter((call) => call.atMs >= sinceMs), count: this.count, dropped: this.dropped };
  }

  clear(): void {
    this.calls = [];
    this.count = 0;
    this.dropped = 0;
  }
}

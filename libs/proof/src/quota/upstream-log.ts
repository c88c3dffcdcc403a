/**
 * The upstream's word, call by call. Its log is bounded, so it is read on while it grows; the newest part is read anew each time,
 * since a call's status is 0 until it is answered.
 */
import { expectOk } from '../run/http';

export interface LoggedCall {
  /** When it arrived, on the upstream's clock. */
  readonly atMs: number;
  readonly kind: 'read' | 'write';
  readonly status: number;
}

/** Longer than any call runs: older ones do not change any more. */
const SETTLED_AFTER_MS = 20_000;

export class UpstreamLog {
  private settled: readonly LoggedCall[] = [];
  /** Whatever arrived before is settled, whatever arrived since is read anew. */
  private edgeMs = 0;
  private clockMs = 0;

  constructor(private readonly mockUrl: string) {}

  /** The upstream's clock when it was last asked. */
  get nowMs(): number {
    return this.clockMs;
  }

  /** All calls up to now, the oldest first. */
  async follow(): Promise<readonly LoggedCall[]> {
    this.clockMs = (await this.ask<{ nowMs: number }>('clock')).nowMs;
    const { calls, count } = await this.ask<{ calls: LoggedCall[]; count: number }>(`calls?sinceMs=${this.edgeMs}`);
    const all = [...this.settled, ...calls];
    // Otherwise a call has fallen out of the bounded log unseen, and nothing could be said of any window that held it.
    if (all.length !== count) throw new Error(`the upstream counted ${count} calls, and ${all.length} were seen in its log`);
    this.edgeMs = this.clockMs - SETTLED_AFTER_MS;
    this.settled = all.filter(({ atMs }) => atMs < this.edgeMs);
    return all;
  }

  private async ask<T>(what: string): Promise<T> {
    return await expectOk<T>({ method: 'GET', url: `${this.mockUrl}/control/${what}` });
  }
}

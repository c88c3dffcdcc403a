import { expectOk } from '../run/http';

/** A call as the upstream's own log has it: the judge of the quota. */
export interface LoggedCall {
  readonly atMs: number;
  readonly kind: 'read' | 'write';
  readonly status: number;
}

/** Gathers the mock's log, which is bounded, while it grows. */
export class UpstreamLog {
  private readonly gathered: LoggedCall[] = [];
  private count = 0;

  constructor(private readonly mockUrl: string) {}

  async gather(): Promise<readonly LoggedCall[]> {
    const { calls, count, dropped } = await expectOk<{ calls: LoggedCall[]; count: number; dropped: number }>({
      method: 'GET',
      url: `${this.mockUrl}/control/calls`,
    });
    if (dropped > this.count)
      throw new Error(`the upstream's log has dropped ${dropped - this.count} calls that were never looked at`);
    // A call's status is known only when it is answered: the newest ones are read anew each time.
    this.gathered.splice(dropped, Infinity, ...calls);
    this.count = count;
    return this.gathered;
  }
}

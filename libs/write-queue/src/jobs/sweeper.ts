/**
 * Gives a job to every spreadsheet that has pending writes: an entry of the log whose accepter died before it added the job is
 * found here. One job is enough, for the last write: it settles all before it.
 */
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@app/platform';
import { WriteLog } from '@app/write-log';
import { WriteQueue } from './write-queue';

/** How long a write can be without a job at most. */
const EVERY_MS = 2_000;

/** A spreadsheet without pending writes is looked at for so long after its last accept. */
const LINGER_MS = 60_000;

@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('sweeper');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: WriteLog,
    private readonly queue: WriteQueue,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.sweep();
      } catch (error) {
        this.logger.warn(`could not look for writes without a job: ${(error as Error).message}`);
      }
      await pause(EVERY_MS, this.stopping.signal);
    }
  }

  async sweep(): Promise<void> {
    for (const { keys, lastAcceptMs } of await this.log.backlog()) {
      const { tail, appliedThrough } = await this.log.drainState(keys);
      if (appliedThrough < tail) {
        const last = await this.lastPending(keys, appliedThrough, tail);
        if (last !== undefined) await this.queue.ensure(last);
        // Everything that was left is set aside: the mark may pass over it.
        else await this.log.settleUnsent(keys, tail, []);
      } else if (Date.now() - lastAcceptMs > LINGER_MS) {
        await this.log.leaveBacklog(keys, lastAcceptMs);
      }
    }
  }

  /** The receipt of the last write that is not final; the ones at the very end may have been set aside. */
  private async lastPending(
    keys: Parameters<WriteLog['drainState']>[0],
    appliedThrough: number,
    tail: number,
  ): ReturnType<WriteLog['receipt']> {
    for (let number = tail; number > appliedThrough; number -= 1) {
      const id = await this.log.idOf(keys, number);
      const receipt = id === undefined ? undefined : await this.log.receipt(id);
      if (receipt !== undefined && receipt.state !== 'failed' && receipt.state !== 'cancelled') return receipt;
    }
    return undefined;
  }
}

/**
 * Gives a job to every spreadsheet that has pending writes: an entry of the log whose accepter died before it added the job is
 * found here. One job is enough, for the last write: it settles all before it. Where Redis is so full that the queue cannot take a job,
 * the spreadsheet is drained without one: that makes room.
 */
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ACCEPTS_STOP_RATIO, isRedisFull, pause, RedisMemory } from '@app/platform';
import { WriteLog } from '@app/write-log';
import { Drain } from '../drain/drain';
import { LogTrimmer } from './log-trimmer';
import { WriteQueue } from './write-queue';

/** How long a write can be without a job at most. */
const EVERY_MS = 2_000;

/** How long one spreadsheet may be drained without a job in one go. */
const DRAIN_MS = 5_000;

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
    private readonly drain: Drain,
    private readonly trimmer: LogTrimmer,
    private readonly memory: RedisMemory,
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
    const full = (await this.memory.use()).ratio >= ACCEPTS_STOP_RATIO;
    for (const { keys, lastAcceptMs, spreadsheetId } of await this.log.backlog()) {
      const { tail, appliedThrough } = await this.log.drainState(keys);
      if (appliedThrough < tail) {
        const last = await this.lastPending(keys, appliedThrough, tail);
        if (last !== undefined) await this.giveJob(last);
        // Everything that was left is set aside: the mark may pass over it.
        else await this.log.settleUnsent(keys, tail, []);
      }
      const silent = appliedThrough >= tail && Date.now() - lastAcceptMs > LINGER_MS;
      const trimmed = full || silent ? await this.trimmer.trim(keys, spreadsheetId) : false;
      if (silent && trimmed) await this.log.leaveBacklog(keys, lastAcceptMs);
    }
  }

  private async giveJob(receipt: Parameters<WriteQueue['ensure']>[0]): Promise<void> {
    try {
      await this.queue.ensure(receipt);
    } catch (error) {
      if (!isRedisFull(error)) throw error;
      await this.drain.drainThrough(receipt.spreadsheetId, receipt.number, 'drain', DRAIN_MS);
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

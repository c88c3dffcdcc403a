import { randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { RedisClient } from '@app/platform';
import type { Receipt } from '@app/write-log';
import { Queue } from 'bullmq';
import { EVENTS_KEPT, HEARTBEAT_JOB, JOB_RETRIES, JOBS_KEPT, queuePrefix, WRITE_QUEUE, type WriteJob } from './write-job';

/** Jobs promoted by one script: thousands would hold up Redis. */
const WOKEN_AT_ONCE = 500;

/**
 * Adds jobs. The id of a job is the id of its write, so adding it again, by whomever, changes nothing.
 *
 * It has a connection of its own that fails at once while Redis is away: a handler must say so instead of waiting, and the
 * worker's connection waits for ever.
 */
export class WriteQueue implements OnApplicationShutdown {
  private readonly queue: Queue<WriteJob>;
  private readonly beatId = `${HEARTBEAT_JOB}-${randomUUID()}`;

  constructor(redis: RedisClient, keyPrefix: string) {
    this.queue = new Queue<WriteJob>(WRITE_QUEUE, { connection: redis, prefix: queuePrefix(keyPrefix), streams: EVENTS_KEPT });
    // Told by the connection itself; without a listener BullMQ would print it again.
    this.queue.on('error', () => undefined);
  }

  async add(receipt: Pick<Receipt, 'id' | 'spreadsheetId' | 'number' | 'sheet' | 'operation' | 'keys'>): Promise<void> {
    const { id, spreadsheetId, number, sheet, operation, keys } = receipt;
    const data: WriteJob = { writeId: id, spreadsheetId, number, sheet, operation, rows: keys.length, receipt: `/writes/${id}` };
    await this.queue.add(operation, data, { jobId: id, ...JOB_RETRIES, ...JOBS_KEPT });
  }

  /** Adds the job, also where one of that id is kept that has come to an end though its write has not. */
  async ensure(receipt: Parameters<WriteQueue['add']>[0]): Promise<void> {
    const job = await this.queue.getJob(receipt.id);
    if (job !== undefined && ((await job.isCompleted()) || (await job.isFailed()))) await job.remove();
    await this.add(receipt);
  }

  /** Whether operators find a job of that write: those written directly have none, and old ones are removed. */
  async hasJob(writeId: string): Promise<boolean> {
    return (await this.queue.getJob(writeId)) !== undefined;
  }

  /** Adds a heartbeat job, unless the last one of this process still waits: a queue that nobody works at does not fill with them. */
  async beat(): Promise<void> {
    const options = { jobId: this.beatId, lifo: true, removeOnComplete: true, removeOnFail: true };
    await this.queue.add(HEARTBEAT_JOB, {} as WriteJob, options);
  }

  async isPaused(): Promise<boolean> {
    return await this.queue.isPaused();
  }

  /** Jobs by their state. */
  async counts(): Promise<Record<string, number>> {
    return await this.queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
  }

  /** No worker takes a job, in any process, until `resume`: what the board calls a paused queue. */
  async pause(): Promise<void> {
    await this.queue.pause();
  }

  async resume(): Promise<void> {
    await this.queue.resume();
  }

  /** Jobs that wait for a moment to come are taken at once; those that have to wait again say so again. */
  async wake(): Promise<void> {
    await this.queue.promoteJobs({ count: WOKEN_AT_ONCE });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}

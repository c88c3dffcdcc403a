/**
 * The drain as a BullMQ processor, throttled by the quota guard.
 *
 *   write settled already      the job completes for free
 *   quota guard refuses        the whole queue sleeps until a place can be free; the job keeps its place and its attempts
 *   spreadsheet has to wait    only this job waits (pace, another writer, a failing upstream); others go on
 *   verdict against the write  the job fails, with the reason that its receipt gives; an operator's retry releases the write
 *
 * Refusals, stalls and outages cost no attempt, and a job that stalls is taken up again however often: what it does is safe to
 * repeat, since a batch's number applies once.
 */
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { QuotaGuard } from '@app/quota';
import { WriteLog } from '@app/write-log';
import { DelayedError, RateLimitError, UnrecoverableError, Worker, type Job } from 'bullmq';
import { Drain } from '../drain/drain';
import { Heartbeat } from './heartbeat';
import { HEARTBEAT_JOB, WRITE_QUEUE, type WriteJob } from './write-job';
import { WriteQueue } from './write-queue';

/** Jobs that one process works at together: enough that a slow spreadsheet leaves room for others. */
const CONCURRENCY = 32;

/** How long one job may hold its place while its spreadsheet is busy; then another job gets it. */
const TURN_MS = 5_000;

/** The queue is asked again at least so often, since places can become free otherwise than by time. */
const QUOTA_SLEEP_MAX_MS = 1_000;

/** Pause after an error that is nobody's verdict. */
const AFTER_ERROR_MS = 500;

@Processor(WRITE_QUEUE, {
  concurrency: CONCURRENCY,
  // Without a limiter BullMQ would apply a rate limit to the one worker that met it.
  limiter: { max: 1_000_000, duration: 1_000 },
  maximumRateLimitDelay: QUOTA_SLEEP_MAX_MS,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000_000,
})
export class WriteProcessor extends WorkerHost implements OnModuleDestroy {
  private readonly logger = new Logger('drain');

  constructor(
    private readonly log: WriteLog,
    private readonly drain: Drain,
    private readonly queue: WriteQueue,
    private readonly quotaGuard: QuotaGuard,
    private readonly heartbeat: Heartbeat,
  ) {
    super();
  }

  async process(job: Job<WriteJob>, token?: string): Promise<unknown> {
    this.heartbeat.taken();
    if (job.name === HEARTBEAT_JOB) return undefined;
    try {
      return await this.work(job, token);
    } catch (error) {
      if (isAnswerToBullMQ(error)) throw error;
      // Redis was away for a moment, or something of ours went wrong: neither is a verdict on the write.
      this.logger.warn(`${job.data.writeId}: ${(error as Error).message}; trying again`);
      return await this.comeBack(job, token, AFTER_ERROR_MS);
    }
  }

  private async work(job: Job<WriteJob>, token: string | undefined): Promise<unknown> {
    const released = job.data.verdictTold === true ? await this.release(job.data) : undefined;
    if (released !== undefined) return released;
    const settled = await this.verdict(job);
    if (settled !== undefined) return settled;

    const admission = await this.quotaGuard.admit('drain', { access: 'write' });
    if (!admission.admitted) return await this.sleepForQuota(admission.retryInMs);

    const outcome = await this.drain.drainThrough(job.data.spreadsheetId, job.data.number, 'drain', TURN_MS);
    if (outcome.kind === 'settled') return (await this.verdict(job)) ?? (await this.comeBack(job, token, 100));
    if (outcome.kind === 'wait' && outcome.reason === 'quota') return await this.sleepForQuota(outcome.retryInMs);
    return await this.comeBack(job, token, outcome.kind === 'wait' ? outcome.retryInMs : 0);
  }

  /** An operator's *retry* of a failed job: the write is accepted anew, at the end of the log, with a job of its own. */
  private async release(data: WriteJob): Promise<unknown> {
    const receipt = await this.log.receipt(data.writeId);
    const released = receipt?.state === 'failed' ? await this.log.release(receipt) : undefined;
    const renewed = released?.kind !== 'released' ? undefined : await this.log.receipt(released.id);
    if (renewed === undefined) return undefined;
    await this.queue.add(renewed);
    return { releasedAs: renewed.id };
  }

  /** What the receipt says, once it is final. Throws where the verdict is against the write. */
  private async verdict(job: Job<WriteJob>): Promise<unknown> {
    const receipt = await this.log.receipt(job.data.writeId);
    if (receipt === undefined) return { state: 'unknown-write', note: 'its receipt has run out' };
    if (receipt.state === 'failed') {
      // When the job runs again after this, an operator has asked for it.
      await job.updateData({ ...job.data, verdictTold: true });
      throw new UnrecoverableError(`${receipt.reason?.code}: ${receipt.reason?.message}`);
    }
    return receipt.state === 'applied' || receipt.state === 'cancelled'
      ? { state: receipt.state, settledAt: receipt.settledAt }
      : undefined;
  }

  private async sleepForQuota(retryInMs: number): Promise<never> {
    await this.worker.rateLimit(Math.max(1, Math.min(retryInMs, QUOTA_SLEEP_MAX_MS)));
    throw Worker.RateLimitError();
  }

  private async comeBack(job: Job<WriteJob>, token: string | undefined, inMs: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.max(1, inMs), token);
    throw new DelayedError();
  }

  /** The connection's own listener tells the operator; without this one BullMQ would print it too. */
  @OnWorkerEvent('error')
  onError(): void {
    return undefined;
  }

  /** No new job while the process shuts down; those under way are finished before the worker closes. */
  async onModuleDestroy(): Promise<void> {
    await this.worker.pause(true);
    this.logger.log('the drain takes no more jobs');
  }
}

/** What tells BullMQ to do something else than to fail or retry the job. */
function isAnswerToBullMQ(error: unknown): boolean {
  return error instanceof UnrecoverableError || error instanceof DelayedError || error instanceof RateLimitError;
}

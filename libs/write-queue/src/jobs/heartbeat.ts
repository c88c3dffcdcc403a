/**
 * Shows that a worker takes jobs, by the only proof there is: that it took one. A worker can stop for good while its connection
 * answers PING and BullMQ calls it running; so every process that drains puts a heartbeat job into the very queue that it works
 * at, and notes when its own worker last took a job, a heartbeat or any other.
 *
 * Idle workers are served in turn (the one that has waited longest), so with one heartbeat per process and beat each gets its
 * share; where there is a backlog each takes jobs all the time. A job that fails says nothing: BullMQ fails stalled jobs of others
 * in the name of a worker that takes none. What counts is only that the processor was called.
 */
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { monotonicMs, pause } from '@app/platform';
import { WriteQueue } from './write-queue';

/** A beat costs four small commands. */
const EVERY_MS = 2_000;

@Injectable()
export class Heartbeat implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('drain');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private takenMs = monotonicMs();

  constructor(private readonly queue: WriteQueue) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** The worker of this process was handed a job. */
  taken(): void {
    this.takenMs = monotonicMs();
  }

  /** Since the worker of this process last took a job; from its start on, before the first. */
  get sinceTakenMs(): number {
    return monotonicMs() - this.takenMs;
  }

  private async run(): Promise<void> {
    let failing = false;
    while (!this.stopping.signal.aborted) {
      try {
        // While the queue is paused nobody can take one; the clock then stands, and does not run from before the pause.
        if (await this.queue.isPaused()) this.taken();
        else await this.queue.beat();
        failing = false;
      } catch (error) {
        // A beat that could not be given says nothing of the worker: readiness has its own look at Redis.
        if (!failing) this.logger.warn(`no heartbeat: ${(error as Error).message}`);
        failing = true;
        this.taken();
      }
      await pause(EVERY_MS, this.stopping.signal);
    }
  }
}

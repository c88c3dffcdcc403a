/** What operators do with the drain: look, hurry, hold back, let go. */
import { Injectable } from '@nestjs/common';
import { CodedError } from '@app/platform';
import { LogOverview, type SpreadsheetBacklog } from '@app/write-log';
import { DrainPauses, WriteQueue, type Pause } from '@app/write-queue';

export interface Backlog extends SpreadsheetBacklog {
  readonly paused: boolean;
}

@Injectable()
export class DrainControl {
  constructor(
    private readonly overview: LogOverview,
    private readonly queue: WriteQueue,
    private readonly pauses: DrainPauses,
  ) {}

  /** The spreadsheets that have pending writes, the most of them first. */
  async backlog(): Promise<Backlog[]> {
    const pauses = await this.pauses.list();
    const all = pauses.some((pause) => pause.spreadsheetId === undefined);
    return (await this.overview.backlog()).map((entry) => ({
      ...entry,
      paused: all || pauses.some((pause) => pause.spreadsheetId === entry.spreadsheetId),
    }));
  }

  async list(): Promise<Pause[]> {
    return await this.pauses.list();
  }

  async jobs(): Promise<Record<string, number>> {
    return await this.queue.counts();
  }

  /** Wakes the jobs that wait. A pending write without one gets one from the sweeper within seconds. Quota and pace hold as ever. */
  async drainNow(spreadsheetId: string | undefined): Promise<Backlog[]> {
    const backlog = (await this.backlog()).filter(
      (entry) => spreadsheetId === undefined || entry.spreadsheetId === spreadsheetId,
    );
    const paused = (await this.pauses.list()).find(
      (pause) => pause.spreadsheetId === undefined || pause.spreadsheetId === spreadsheetId,
    );
    if (paused !== undefined) {
      throw new CodedError({
        code: 'drain-paused',
        status: 409,
        message: `the drain is paused since ${paused.at} by ${paused.by}; resume it first`,
      });
    }
    await this.queue.wake();
    return backlog;
  }

  async pause(spreadsheetId: string | undefined, who: { by: string; reason?: string }): Promise<Pause> {
    const pause = await this.pauses.pause(spreadsheetId, who);
    // Jobs of all spreadsheets are not even taken; those of one come back from time to time.
    if (spreadsheetId === undefined) await this.queue.pause();
    return pause;
  }

  async resume(spreadsheetId: string | undefined): Promise<{ resumed: boolean }> {
    const resumed = await this.pauses.resume(spreadsheetId);
    if (spreadsheetId === undefined) await this.queue.resume();
    await this.queue.wake();
    return { resumed };
  }
}

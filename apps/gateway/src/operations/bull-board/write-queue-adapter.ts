import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { WriteJob } from '@app/write-queue';
import type { Job } from 'bullmq';

/** What cancelling a write needs; given by the application when it starts (the board makes its adapters itself). */
export type CancelWrite = (job: WriteJob) => Promise<'cancelled' | 'final' | 'sending'>;

let cancelWrite: CancelWrite | undefined;

export function bindCancelWrite(cancel: CancelWrite): void {
  cancelWrite = cancel;
}

/**
 * The queue as the board sees it, with the meaning that its buttons have here: *remove* cancels the write, and is refused while
 * the write is being sent. (*Retry* needs nothing: the job runs again, and the processor releases the write.)
 */
export class WriteQueueAdapter extends BullMQAdapter {
  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (job === undefined || job === null) return undefined;
    const remove = job.remove.bind(job);
    job.remove = async (options) => {
      const outcome = await cancelWrite?.(job.data as WriteJob);
      if (outcome === 'sending') throw new Error('the write is being sent and cannot be cancelled now');
      await remove(options);
    };
    return job;
  }
}

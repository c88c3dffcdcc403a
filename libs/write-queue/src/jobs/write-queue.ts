import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Receipt } from '@app/write-log';
import type { Queue } from 'bullmq';
import { JOBS_KEPT, WRITE_QUEUE, type WriteJob } from './write-job';

/** Adds jobs. The id of a job is the id of its write, so adding it again, by whomever, changes nothing. */
@Injectable()
export class WriteQueue {
  constructor(@InjectQueue(WRITE_QUEUE) private readonly queue: Queue<WriteJob>) {}

  async add(receipt: Pick<Receipt, 'id' | 'spreadsheetId' | 'number' | 'sheet' | 'operation' | 'keys'>): Promise<void> {
    const { id, spreadsheetId, number, sheet, operation, keys } = receipt;
    const data: WriteJob = { writeId: id, spreadsheetId, number, sheet, operation, rows: keys.length, receipt: `/writes/${id}` };
    await this.queue.add(operation, data, { jobId: id, ...JOBS_KEPT });
  }
}

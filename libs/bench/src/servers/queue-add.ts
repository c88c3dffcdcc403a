/** A write as an application without a log would accept it: the payload becomes a BullMQ job. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { REDIS, serve } from './nest-server';

@Controller('writes')
class QueueAddController {
  private readonly queue: Queue;

  constructor(@Inject(REDIS) redis: Redis) {
    this.queue = new Queue('bench', { connection: redis, prefix: '{bench-queue}' });
  }

  @Post()
  @HttpCode(202)
  async add(@Body() body: unknown): Promise<{ id: string | undefined }> {
    return { id: (await this.queue.add('append', body)).id };
  }
}

void serve(QueueAddController);

import { FastifyAdapter } from '@bull-board/fastify';
import { BullBoardModule } from '@bull-board/nestjs';
import { Module } from '@nestjs/common';
import { WRITE_QUEUE } from '@app/write-queue';
import { WriteQueueAdapter } from './write-queue-adapter';

/** Where operators see the jobs. Access is guarded for the page, its files and its API alike (`http/access.ts`). */
export const BULL_BOARD_PATH = '/queues';

@Module({
  imports: [
    BullBoardModule.forRoot({
      route: BULL_BOARD_PATH,
      adapter: FastifyAdapter,
      boardOptions: { uiConfig: { boardTitle: 'Write queue', hideRedisDetails: true } },
    }),
    BullBoardModule.forFeature({ name: WRITE_QUEUE, adapter: WriteQueueAdapter }),
  ],
})
export class OperatorBoardModule {}

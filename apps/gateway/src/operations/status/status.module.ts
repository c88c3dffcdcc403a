import { Module } from '@nestjs/common';
import { StatusController } from './status.controller';
import { StatusMonitor } from './status-monitor';
import { StatusStream } from './status-stream';
import { TimelineModule } from '../timeline';

/** The page at `/`, for processes that answer clients. */
@Module({ imports: [TimelineModule], controllers: [StatusController], providers: [StatusMonitor, StatusStream] })
export class StatusModule {}

import { Module } from '@nestjs/common';
import { TimelineRecorder } from './timeline-recorder';

/** For every role: a process that only drains is part of what the page shows. */
@Module({ providers: [TimelineRecorder], exports: [TimelineRecorder] })
export class TimelineModule {}

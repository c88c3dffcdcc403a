export { BUCKET_MS, SHOWN_MS, sumOf, type Bucket, type QuotaSample } from './bucket';
export { TimelineModule } from './timeline.module';
export { TimelineReader } from './timeline-reader';
export { TimelineRecorder } from './timeline-recorder';

/** The timeline as it is read: what Redis has of all processes, and what only this one knows yet. */
import type { RedisClient } from '@app/platform';
import { BUCKET_MS, bucketKey, bucketStart, mergeBucket, SHOWN_MS, type Bucket, type ProcessEntry } from './bucket';
import type { TimelineRecorder } from './timeline-recorder';

/** A process that was slow may still write a bucket this long after its end. */
const LATE_MS = 4 * BUCKET_MS;

/** Read at once: keeps a first look of 300 buckets from filling the connection. */
const PER_TRIP = 100;

type Entries = Record<string, ProcessEntry>;

export class TimelineReader {
  private readonly known = new Map<number, Entries>();
  private readThroughMs = 0;

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly recorder: Pick<TimelineRecorder, 'unwritten' | 'processName'>,
  ) {}

  /** Asks Redis for what may have changed since the last time. Throws where it cannot. */
  async refresh(nowMs: number): Promise<void> {
    const lastMs = bucketStart(nowMs);
    const oldestMs = bucketStart(nowMs - SHOWN_MS);
    const firstMs = Math.max(oldestMs, bucketStart(this.readThroughMs - LATE_MS));
    const starts: number[] = [];
    for (let startMs = firstMs; startMs <= lastMs; startMs += BUCKET_MS) starts.push(startMs);
    for (let at = 0; at < starts.length; at += PER_TRIP) {
      const some = starts.slice(at, at + PER_TRIP);
      const pipeline = this.redis.pipeline();
      for (const startMs of some) pipeline.hgetall(bucketKey(this.prefix, startMs));
      const replies = (await pipeline.exec()) ?? [];
      for (const [place, [error, fields]] of replies.entries()) {
        if (error !== null) throw error;
        const entries = Object.entries(fields as Record<string, string>);
        if (entries.length === 0) continue;
        this.known.set(some[place], Object.fromEntries(entries.map(([name, json]) => [name, JSON.parse(json) as ProcessEntry])));
      }
    }
    this.readThroughMs = nowMs;
    for (const startMs of this.known.keys()) if (startMs < oldestMs) this.known.delete(startMs);
  }

  /** The buckets of the last ten minutes that anybody wrote, the oldest first: as far as is known, whatever Redis does. */
  buckets(nowMs: number): Bucket[] {
    const all = new Map<number, Entries>(this.known);
    for (const [startMs, entry] of this.recorder.unwritten())
      all.set(startMs, { ...all.get(startMs), [this.recorder.processName]: entry });
    return [...all]
      .filter(([startMs]) => startMs >= bucketStart(nowMs - SHOWN_MS))
      .sort(([a], [b]) => a - b)
      .map(([startMs, entries]) => mergeBucket(startMs, entries));
  }
}

/**
 * This process's part of the timeline. Telemetry adds to numbers in memory; once a second they go to Redis in one pipelined write.
 * While Redis is away they stay here, as long as they would be shown, and are written when it is back.
 */
import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { wallMs } from '@app/platform';
import { QuotaLedger } from '@app/quota';
import type { Redis } from 'ioredis';
import { CONFIGURATION, REDIS_FOR_REQUESTS } from '../../core/tokens';
import type { Configuration } from '../../configuration';
import { Telemetry } from '../telemetry';
import { bucketKey, bucketStart, KEPT_MS, samplesOf, SHOWN_MS, type ProcessEntry, type QuotaSample } from './bucket';
import { countersFrom } from './counters';

const EVERY_MS = 1_000;

interface OwnEntry {
  readonly counters: Record<string, number>;
  quotas?: readonly QuotaSample[];
  /** Redis has it as it is. */
  written: boolean;
}

@Injectable()
export class TimelineRecorder implements OnApplicationBootstrap, OnModuleDestroy {
  /** Unlike that of any other process, and readable. */
  readonly processName = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`;
  /** Why the last write did not succeed. */
  lastError: Error | undefined;
  private fresh: Record<string, number> = {};
  private readonly own = new Map<number, OwnEntry>();
  private readonly unsubscribe: () => void;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    telemetry: Telemetry,
    private readonly ledger: QuotaLedger,
    @Inject(REDIS_FOR_REQUESTS) private readonly redis: Redis,
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'keyPrefix' | 'role'>,
  ) {
    const count = (name: string, by: number): void => void (this.fresh[name] = (this.fresh[name] ?? 0) + by);
    this.unsubscribe = telemetry.subscribe(countersFrom(count));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.unsubscribe();
    await this.writing;
    await this.tick();
  }

  /** What Redis does not have (yet), by the start of its bucket. */
  unwritten(): ReadonlyMap<number, ProcessEntry> {
    return new Map([...this.own].filter(([, { written }]) => !written).map(([startMs, entry]) => [startMs, this.said(entry)]));
  }

  /** Closes the second: one at a time, since the write of the next would carry the same. */
  async tick(atMs = wallMs()): Promise<void> {
    this.fold(atMs);
    this.writing ??= this.write(atMs).finally(() => (this.writing = undefined));
    await this.writing;
  }

  private fold(atMs: number): void {
    const startMs = bucketStart(atMs);
    const entry = this.own.get(startMs) ?? { counters: {}, written: false };
    for (const [name, count] of Object.entries(this.fresh)) entry.counters[name] = (entry.counters[name] ?? 0) + count;
    this.fresh = {};
    entry.written = false;
    this.own.set(startMs, entry);
    for (const [kept, { written }] of this.own) if (kept < atMs - SHOWN_MS || (written && kept < startMs)) this.own.delete(kept);
  }

  private async write(atMs: number): Promise<void> {
    if (this.redis.status !== 'ready') {
      this.lastError = new Error('Redis is not connected');
      return;
    }
    try {
      const newest = this.own.get(bucketStart(atMs));
      // A little less than the interval, so that a second look within it asks nobody.
      const status = await this.ledger.status(EVERY_MS - 100);
      if (newest !== undefined) newest.quotas = samplesOf(status);
      const sent = [...this.own].filter(([, { written }]) => !written).map(([startMs, entry]) => ({ startMs, entry }));
      const pipeline = this.redis.pipeline();
      for (const { startMs, entry } of sent) {
        entry.written = true;
        const key = bucketKey(this.configuration.keyPrefix, startMs);
        pipeline.hset(key, this.processName, JSON.stringify(this.said(entry))).pexpire(key, KEPT_MS);
      }
      const failed = (await pipeline.exec())?.find(([error]) => error !== null)?.[0];
      // Whatever was folded in while it was on its way is unwritten again already.
      if (failed) for (const { entry } of sent) entry.written = false;
      this.lastError = failed ?? undefined;
    } catch (error) {
      for (const entry of this.own.values()) entry.written = false;
      this.lastError = error as Error;
    }
  }

  private said({ counters, quotas }: OwnEntry): ProcessEntry {
    return { role: this.configuration.role, counters, ...(quotas === undefined ? {} : { quotas }) };
  }
}

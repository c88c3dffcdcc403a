/**
 * The live state, as server-sent events. One timer for all listeners: each gets the whole ten minutes first (`event: full`), and then
 * once a second the state with the buckets that may have changed (`event: state`), which is also the heartbeat. A listener that does
 * not read is dropped, and all are let go when the process ends, so that nothing keeps it.
 */
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { StatusMonitor } from './status-monitor';
import type { StatusState } from './status-state';
import { BUCKET_MS } from '../timeline';

const EVERY_MS = 1_000;

/** Pages open at once, per process: each costs a few kilobytes a second. */
export const LISTENERS_MAX = 32;

/** Buckets that may have changed since the last event, processes that are late included. */
const CHANGED_MS = 6 * BUCKET_MS;

/** More than this unread: the listener is gone, or far too slow. */
const UNREAD_BYTES_MAX = 2_000_000;

@Injectable()
export class StatusStream implements OnModuleDestroy {
  private readonly logger = new Logger('status');
  private readonly listeners = new Set<ServerResponse>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly monitor: StatusMonitor) {}

  get isFull(): boolean {
    return this.closed || this.listeners.size >= LISTENERS_MAX;
  }

  /** Takes over an answer whose head was written. */
  async add(response: ServerResponse): Promise<void> {
    this.listeners.add(response);
    response.on('error', () => this.remove(response));
    response.on('close', () => this.remove(response));
    this.timer ??= setInterval(() => void this.tell(), EVERY_MS).unref();
    const state = await this.monitor.current();
    if (this.listeners.has(response)) response.write(`retry: 2000\n${eventOf('full', state)}`);
  }

  onModuleDestroy(): void {
    this.closed = true;
    for (const response of this.listeners) response.end();
    this.listeners.clear();
    clearInterval(this.timer);
  }

  private remove(response: ServerResponse): void {
    this.listeners.delete(response);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async tell(): Promise<void> {
    try {
      const state = await this.monitor.current();
      const { timeline } = state;
      const buckets = timeline.buckets.filter(({ startMs }) => startMs > state.atMs - CHANGED_MS);
      const event = eventOf('state', { ...state, timeline: { ...timeline, buckets } });
      for (const response of this.listeners) {
        if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
        else response.write(event);
      }
    } catch (error) {
      this.logger.error(`could not tell the state: ${(error as Error).stack}`);
    }
  }
}

function eventOf(name: string, state: StatusState): string {
  return `event: ${name}\ndata: ${JSON.stringify(state)}\n\n`;
}

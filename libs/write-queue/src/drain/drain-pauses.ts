/**
 * What operators hold back: all spreadsheets, or single ones. Kept in Redis, so that it holds for every process and survives
 * restarts. Asked in every round before anything is sent, whoever drains: writes are accepted meanwhile, and direct ones are
 * answered 202.
 *
 * One hash, `{<prefix>pauses}`: a spreadsheet's tag, or `*` for all -> who paused it, when and why, as JSON.
 */
import type { RedisClient } from '@app/platform';
import { SpreadsheetKeys } from '@app/write-log';

export interface Pause {
  /** Absent: all of them. */
  readonly spreadsheetId?: string;
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
}

const ALL = '*';

export class DrainPauses {
  private readonly key: string;

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {
    this.key = `{${prefix}pauses}`;
  }

  /** @param spreadsheetId absent: all. Pausing what is paused changes nothing. @returns the pause that holds. */
  async pause(spreadsheetId: string | undefined, { by, reason }: { by: string; reason?: string }): Promise<Pause> {
    const field = this.fieldOf(spreadsheetId);
    const pause: Pause = {
      ...(spreadsheetId === undefined ? {} : { spreadsheetId }),
      by,
      at: new Date().toISOString(),
      ...(reason === undefined ? {} : { reason }),
    };
    await this.redis.hsetnx(this.key, field, JSON.stringify(pause));
    return JSON.parse((await this.redis.hget(this.key, field)) ?? JSON.stringify(pause)) as Pause;
  }

  /** @returns false where it was not paused. */
  async resume(spreadsheetId: string | undefined): Promise<boolean> {
    return (await this.redis.hdel(this.key, this.fieldOf(spreadsheetId))) === 1;
  }

  async list(): Promise<Pause[]> {
    return Object.values(await this.redis.hgetall(this.key)).map((json) => JSON.parse(json) as Pause);
  }

  async isPaused(keys: SpreadsheetKeys): Promise<boolean> {
    return (await this.redis.hmget(this.key, ALL, keys.tag)).some((found) => found !== null);
  }

  async isAllPaused(): Promise<boolean> {
    return (await this.redis.hexists(this.key, ALL)) === 1;
  }

  private fieldOf(spreadsheetId: string | undefined): string {
    return spreadsheetId === undefined ? ALL : SpreadsheetKeys.of(this.prefix, spreadsheetId).tag;
  }
}

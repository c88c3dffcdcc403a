/** What operators ask of all spreadsheets at once: how much is pending, and what failed lately. Reads only. */
import { join } from 'node:path';
import { loadLuaScript, type RedisClient } from '@app/platform';
import { backlogKey, failuresKey, SpreadsheetKeys } from './keys';
import { readReceipt } from './receipts';
import type { Receipt } from './write';

const readBacklog = loadLuaScript(join(__dirname, 'lua'), 'read-backlog');

/** Numbers looked at for the oldest pending write. More than this many set aside in a row hide its age for a moment. */
const LOOKED_AT_MAX = 100;

/** Spreadsheets looked at for one overview: keeps the cost of a look within a few milliseconds. */
const SPREADSHEETS_MAX = 500;

export interface SpreadsheetBacklog {
  readonly spreadsheetId: string;
  readonly pendingWrites: number;
  /** Since the oldest pending write was accepted, by Redis's clock. Absent: nothing is pending. */
  readonly oldestAgeMs?: number;
}

export class LogOverview {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Every spreadsheet with pending writes, the most pending first. */
  async backlog(): Promise<SpreadsheetBacklog[]> {
    const tags = await this.redis.zrange(backlogKey(this.prefix), '0', String(SPREADSHEETS_MAX - 1));
    const replies = await Promise.all(
      tags.map((tag) => readBacklog.run(this.redis, [SpreadsheetKeys.fromTag(this.prefix, tag).base], [LOOKED_AT_MAX])),
    );
    return (replies as [string, number, number][])
      .filter(([, pendingWrites]) => pendingWrites > 0)
      .map(([spreadsheetId, pendingWrites, ageMs]) => ({
        spreadsheetId,
        pendingWrites,
        ...(ageMs < 0 ? {} : { oldestAgeMs: ageMs }),
      }))
      .sort((a, b) => b.pendingWrites - a.pendingWrites);
  }

  /** Writes that failed within a day and were not released since, the latest first; `total` counts them all, within the register's bound. */
  async failures(limit: number): Promise<{ readonly total: number; readonly latest: readonly Receipt[] }> {
    const members = await this.redis.zrevrange(failuresKey(this.prefix), 0, -1);
    const latest: Receipt[] = [];
    let gone = 0;
    for (let at = 0; at < members.length && latest.length < limit; at += limit) {
      const found = await Promise.all(members.slice(at, at + limit).map((member) => this.failed(member)));
      for (const receipt of found) {
        if (receipt === undefined) gone += 1;
        else if (latest.length < limit) latest.push(receipt);
      }
    }
    return { total: members.length - gone, latest };
  }

  private async failed(member: string): Promise<Receipt | undefined> {
    const [tag, number] = member.split(':');
    const keys = SpreadsheetKeys.fromTag(this.prefix, tag);
    const [fields, spreadsheetId] = await Promise.all([
      this.redis.hgetall(keys.receipt(Number(number))),
      this.redis.hget(keys.marks, 'spreadsheetId'),
    ]);
    const stands = fields.state === 'failed' && fields.releasedAs === undefined;
    return stands ? readReceipt(Number(number), spreadsheetId ?? '', fields) : undefined;
  }
}

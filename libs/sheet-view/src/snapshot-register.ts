/**
 * Which snapshots there are, over all spreadsheets: for operators. One key, `{<prefix>snapshots}`: a sorted set of
 * `<spreadsheet's tag>:<sheet id>` by the time of the last fetch, kept to the latest few hundred.
 */
import { join } from 'node:path';
import { loadLuaScript, wallMs, type RedisClient } from '@app/platform';
import { SpreadsheetKeys } from '@app/write-log';

const readFacts = loadLuaScript(join(__dirname, 'lua'), 'read-snapshot-facts');

/** More than an operator looks through, and small in Redis: about 50 KB. */
const REGISTERED_MAX = 500;

export interface SnapshotFacts {
  /** Empty: the spreadsheet has had no write yet, so only its tag is known. */
  readonly spreadsheetId: string;
  readonly spreadsheetTag: string;
  readonly sheetId: number;
  readonly title: string;
  /** Since the snapshot was fetched, by Redis's clock. */
  readonly ageMs: number;
  readonly pendingWrites: number;
}

export class SnapshotRegister {
  private readonly key: string;

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {
    this.key = `{${prefix}snapshots}`;
  }

  async note(keys: SpreadsheetKeys, sheetId: number): Promise<void> {
    await this.redis.zadd(this.key, wallMs(), `${keys.tag}:${sheetId}`);
    await this.redis.zremrangebyrank(this.key, 0, -REGISTERED_MAX - 1);
  }

  /** The snapshots fetched last, at most `limit`, the one fetched longest ago first; `total` counts all registered ones. */
  async list(limit: number): Promise<{ readonly total: number; readonly snapshots: readonly SnapshotFacts[] }> {
    const [total, members] = await Promise.all([
      this.redis.zcard(this.key),
      this.redis.zrevrange(this.key, 0, Math.max(0, limit - 1)),
    ]);
    const facts = await Promise.all(members.map((member) => this.factsOf(member)));
    const snapshots = facts.filter((fact) => fact !== undefined).sort((a, b) => b.ageMs - a.ageMs);
    return { total, snapshots };
  }

  private async factsOf(member: string): Promise<SnapshotFacts | undefined> {
    const [spreadsheetTag, sheetId] = member.split(':');
    const { base } = SpreadsheetKeys.fromTag(this.prefix, spreadsheetTag);
    const reply = (await readFacts.run(this.redis, [base], [sheetId])) as [string, string, number, number];
    const [spreadsheetId, tab, ageMs, pendingWrites] = reply;
    if (tab === '' || ageMs < 0) return undefined;
    const { title } = JSON.parse(tab) as { title: string };
    return { spreadsheetId, spreadsheetTag, sheetId: Number(sheetId), title, ageMs, pendingWrites };
  }
}

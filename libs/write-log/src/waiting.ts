/** Why the writes of a spreadsheet wait, where only a person can help: the last thing that the upstream said of the spreadsheet as a whole. */
import { wallMs, type RedisClient } from '@app/platform';
import type { SpreadsheetKeys } from './keys';
import type { Reason } from './write';

export interface Waiting extends Reason {
  /** Since when the upstream has said so, again and again. */
  readonly since: string;
  /** When it last did. */
  readonly lastSaid: string;
}

/** Longer than the longest pause between two attempts: what nobody has tried for so long is not known any more. */
const REMEMBERED_FOR_MS = 5 * 60_000;

export async function noteWaiting(redis: RedisClient, keys: SpreadsheetKeys, { code, message }: Reason): Promise<void> {
  const before = await readWaiting(redis, keys);
  const lastSaid = new Date(wallMs()).toISOString();
  const waiting: Waiting = { code, message, since: before?.code === code ? before.since : lastSaid, lastSaid };
  await redis.set(keys.waiting, JSON.stringify(waiting), 'PX', REMEMBERED_FOR_MS);
}

export async function readWaiting(redis: RedisClient, keys: SpreadsheetKeys): Promise<Waiting | undefined> {
  const stored = await redis.get(keys.waiting);
  return stored === null ? undefined : (JSON.parse(stored) as Waiting);
}

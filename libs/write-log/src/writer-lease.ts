/**
 * The right to write one spreadsheet upstream. One holder at a time; it ends by itself, so that a dead holder blocks nobody for
 * long, and is renewed before every send. A holder that was paused past its end can still send: the number of its batch, not the
 * lease, keeps that harmless.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { loadLuaScript, type RedisClient } from '@app/platform';
import type { SpreadsheetKeys } from './keys';

const LUA = join(__dirname, 'lua');
const takeLease = loadLuaScript(LUA, 'take-lease');
const renewLease = loadLuaScript(LUA, 'renew-lease');

export class WriterLease {
  private constructor(
    private readonly redis: RedisClient,
    private readonly keys: SpreadsheetKeys,
    readonly token: string,
    readonly durationMs: number,
  ) {}

  /** @returns undefined where somebody else holds it. */
  static async take(redis: RedisClient, keys: SpreadsheetKeys, durationMs: number): Promise<WriterLease | undefined> {
    const token = randomUUID();
    const taken = await takeLease.run(redis, [keys.base], [token, durationMs]);
    return taken !== 1 ? undefined : new WriterLease(redis, keys, token, durationMs);
  }

  /** @returns false where it has gone to somebody else. */
  async renew(): Promise<boolean> {
    return (await renewLease.run(this.redis, [this.keys.base], [this.token, this.durationMs])) === 1;
  }

  async giveBack(): Promise<void> {
    await renewLease.run(this.redis, [this.keys.base], [this.token, 0]);
  }
}

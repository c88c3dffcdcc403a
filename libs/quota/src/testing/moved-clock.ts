/** A clock for the scripts that a test or the simulation moves: the include `now-ms` reads it from a key instead of Redis. */
import type { RedisClient } from '@app/platform';

/** The key belongs to the ledger's hash tag, so that one text of the script serves every ledger. */
export const MOVED_CLOCK_INCLUDE: Readonly<Record<string, string>> = {
  'now-ms': "local function nowMs() return tonumber(redis.call('GET', 'test-clock:' .. string.match(KEYS[1], '^{(.-)}'))) end",
};

export function movedClockKey(keyPrefix: string): string {
  return `test-clock:${keyPrefix}quota`;
}

export class MovedClock {
  nowMs = 1_700_000_000_000;

  constructor(
    private readonly redis: RedisClient,
    readonly keyPrefix: string,
  ) {}

  async set(nowMs: number): Promise<void> {
    this.nowMs = nowMs;
    await this.redis.set(movedClockKey(this.keyPrefix), String(nowMs));
  }

  async advance(byMs: number): Promise<void> {
    await this.set(this.nowMs + byMs);
  }
}

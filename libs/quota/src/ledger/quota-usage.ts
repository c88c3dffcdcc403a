/** Who uses a quota: its counted calls by lane, and which of them have no answer yet. */
import type { RedisClient } from '@app/platform';
import { LANES, type Lane } from '../policy/lane';
import type { QuotaInstance } from '../policy/quota-definition';
import type { QuotaKeys } from './keys';

export interface LaneUsage {
  /** Calls that count now, those in flight included. */
  readonly counted: number;
  /** Reservations whose call has not been answered: they count until their lease ends, or from their answer on. */
  readonly inFlight: number;
}

export interface QuotaUsage {
  readonly quotaId: string;
  readonly lanes: Readonly<Record<Lane, LaneUsage>>;
}

/** A score is the instant from which a call counts for one window: in flight it lies ahead, at the end of the lease (`lua/includes/quota.lua`). */
export async function readUsage(redis: RedisClient, keys: QuotaKeys, gates: readonly QuotaInstance[]): Promise<QuotaUsage[]> {
  const [seconds, microseconds] = await redis.time();
  const nowMs = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  return await Promise.all(
    gates.map(async ({ quotaId, definition }) => {
      const laneKeys = keys.of(quotaId).slice(-LANES.length);
      const usages = await Promise.all(
        laneKeys.map(async (key): Promise<LaneUsage> => {
          const [counted, inFlight] = await Promise.all([
            redis.zcount(key, nowMs - definition.windowMs, '+inf'),
            redis.zcount(key, `(${nowMs}`, '+inf'),
          ]);
          return { counted, inFlight };
        }),
      );
      return { quotaId, lanes: Object.fromEntries(LANES.map((lane, place) => [lane, usages[place]])) as QuotaUsage['lanes'] };
    }),
  );
}

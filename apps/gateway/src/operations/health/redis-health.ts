import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { ACCEPTS_STOP_RATIO, RedisMemory, type RedisMemoryUse } from '@app/platform';
import type { Redis } from 'ioredis';
import type { Configuration } from '../../configuration';
import { CONFIGURATION, REDIS_FOR_REQUESTS } from '../../core/tokens';

/** A probe that waits longer than this counts as failed: probes ask every few seconds. */
const PROBE_TIMEOUT_MS = 500;

@Injectable()
export class RedisHealth {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly memory: RedisMemory,
    @Inject(REDIS_FOR_REQUESTS) private readonly redis: Redis,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** A write, since a read-only or full Redis still answers PING. */
  async canBeWritten(): Promise<HealthIndicatorResult> {
    const key = `{${this.configuration.keyPrefix}health}`;
    return await this.indicators
      .check('redis')
      .attempt(async () => {
        await this.redis.set(key, String(Date.now()), 'EX', 60);
        return {};
      })
      .withTimeout(PROBE_TIMEOUT_MS);
  }

  /** Red before acceptance breaks: other processes can take over, or an operator can make room. */
  async hasRoom(): Promise<HealthIndicatorResult> {
    const check = this.indicators.check('redisMemory');
    let use: RedisMemoryUse;
    try {
      use = await this.memory.use();
    } catch {
      // Whether Redis answers at all is told by the write.
      return check.up({ message: 'not known while Redis does not answer' });
    }
    const { usedBytes, maxBytes, ratio } = use;
    if (maxBytes === 0) return check.up({ usedBytes });
    const facts = { usedBytes, maxBytes, acceptsStopAtBytes: Math.floor(maxBytes * ACCEPTS_STOP_RATIO) };
    return ratio < ACCEPTS_STOP_RATIO
      ? check.up(facts)
      : check.down({
          ...facts,
          message: `${Math.round(100 * ratio)} % of maxmemory is used: no writes are accepted`,
        });
  }
}

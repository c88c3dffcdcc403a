import { Controller, Get, Inject, Optional } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { UpstreamClient } from '@app/sheets-client';
import { WriteProcessor } from '@app/write-queue';
import type { Redis } from 'ioredis';
import { CONFIGURATION, REDIS_FOR_REQUESTS } from '../core/tokens';
import type { Configuration } from '../configuration';

/** A probe that waits longer than this counts as failed: probes ask every few seconds. */
const PROBE_TIMEOUT_MS = 500;

@ApiTags('probes')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly upstream: UpstreamClient,
    @Inject(REDIS_FOR_REQUESTS) private readonly redis: Redis,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Optional() private readonly processor?: WriteProcessor,
  ) {}

  /** The process runs. Asks nothing else, so that an outage elsewhere never restarts a healthy process. */
  @Get('live')
  @ApiOperation({ summary: 'The process runs' })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @HealthCheck()
  @ApiOperation({ summary: 'Redis can be written and the drain is alive; a failing upstream is "degraded", still 200' })
  ready(): Promise<HealthCheckResult> {
    return this.health.check([() => this.redisCanBeWritten(), () => this.drainIsAlive(), () => this.upstreamAnswers()]);
  }

  /** A write, since a read-only or full Redis still answers PING. */
  private async redisCanBeWritten(): Promise<HealthIndicatorResult> {
    const key = `{${this.configuration.keyPrefix}health}`;
    return await this.indicators
      .check('redis')
      .attempt(async () => {
        await this.redis.set(key, String(Date.now()), 'EX', 60);
        return {};
      })
      .withTimeout(PROBE_TIMEOUT_MS);
  }

  private drainIsAlive(): HealthIndicatorResult {
    const check = this.indicators.check('drain');
    if (this.processor === undefined) return check.up({ role: this.configuration.role });
    return this.processor.worker.isRunning() && !this.processor.worker.isPaused()
      ? check.up()
      : check.down({ message: 'the worker takes no jobs' });
  }

  /** From what the last calls said: a probe costs no quota. */
  private upstreamAnswers(): HealthIndicatorResult {
    const { failing, lastFailure, lastFailureMs } = this.upstream.health;
    const check = this.indicators.check('upstream');
    return failing
      ? check.degraded({ message: lastFailure, since: new Date(lastFailureMs as number).toISOString() })
      : check.up();
  }
}

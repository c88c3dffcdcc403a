import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { monotonicMs } from '@app/platform';
import { DrainHealth } from './drain-health';
import { RedisHealth } from './redis-health';
import { UpstreamHealthIndicator } from './upstream-health';

/** Probes that come within this time share one look: many probers, or a storm of them, cost one. */
const LOOK_SHARED_MS = 1_000;

@ApiTags('probes')
@Controller('health')
export class HealthController {
  private look?: { readonly atMs: number; readonly result: Promise<HealthCheckResult> };

  constructor(
    private readonly health: HealthCheckService,
    private readonly redis: RedisHealth,
    private readonly drain: DrainHealth,
    private readonly upstream: UpstreamHealthIndicator,
  ) {}

  /** The process runs. Asks nothing else, so that an outage elsewhere never restarts a healthy process. */
  @Get('live')
  @ApiOperation({ summary: 'The process runs' })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @HealthCheck()
  @ApiOperation({
    summary: 'Redis can be written and has room, and the worker takes jobs; a failing upstream is "degraded", still 200',
  })
  async ready(): Promise<HealthCheckResult> {
    if (this.look === undefined || monotonicMs() - this.look.atMs >= LOOK_SHARED_MS) {
      const result = this.health.check([
        () => this.redis.canBeWritten(),
        () => this.redis.hasRoom(),
        () => this.drain.takesJobs(),
        () => this.upstream.answers(),
      ]);
      // Whoever shares it gets the failure; nobody asking is no unhandled one.
      result.catch(() => undefined);
      this.look = { atMs: monotonicMs(), result };
    }
    return await this.look.result;
  }
}

import { Inject, Injectable, Optional } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { DrainPauses, Heartbeat } from '@app/write-queue';
import type { Configuration } from '../../configuration';
import { CONFIGURATION } from '../../core/tokens';

/** Five heartbeats. */
const SILENT_MS = 10_000;

/** While every place of a worker waits for an upstream that does not answer, it takes no job: for as long as two calls may last. */
const CALLS_WAITED_FOR = 2;

@Injectable()
export class DrainHealth {
  private readonly silentMaxMs: number;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly pauses: DrainPauses,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Optional() private readonly heartbeat?: Heartbeat,
  ) {
    this.silentMaxMs = SILENT_MS + CALLS_WAITED_FOR * configuration.upstream.timeoutMs;
  }

  /** Whether the worker of this process has taken a job lately; in the role `api` there is none. */
  async takesJobs(): Promise<HealthIndicatorResult> {
    const check = this.indicators.check('drain');
    const paused = await this.pauses.isAllPaused().catch(() => false);
    const facts = { role: this.configuration.role, ...(paused ? { paused } : {}) };
    if (this.heartbeat === undefined || paused) return check.up(facts);
    const sinceJobMs = Math.round(this.heartbeat.sinceTakenMs);
    return sinceJobMs <= this.silentMaxMs
      ? check.up({ ...facts, sinceJobMs })
      : check.down({
          ...facts,
          sinceJobMs,
          message: `the worker has taken no job for ${Math.floor(sinceJobMs / 1_000)} s, though one was offered every 2 s`,
        });
  }
}

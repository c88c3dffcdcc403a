import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { UpstreamClient } from '@app/sheets-client';

@Injectable()
export class UpstreamHealthIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly upstream: UpstreamClient,
  ) {}

  /** From what the last calls said: a probe costs no quota. */
  answers(): HealthIndicatorResult {
    const { failing, lastFailure, lastFailureMs } = this.upstream.health;
    const check = this.indicators.check('upstream');
    return failing
      ? check.degraded({ message: lastFailure, since: new Date(lastFailureMs as number).toISOString() })
      : check.up();
  }
}

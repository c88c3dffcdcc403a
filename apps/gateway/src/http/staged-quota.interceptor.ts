import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { QuotaInterceptor } from '@app/quota';
import type { Observable } from 'rxjs';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';

/** The `QuotaInterceptor` from the stage `count` on; the stage `off` counts nothing and so has nothing to tell. */
@Injectable()
export class StagedQuotaInterceptor implements NestInterceptor {
  constructor(
    private readonly quota: QuotaInterceptor,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return this.configuration.protection === 'off' ? next.handle() : this.quota.intercept(context, next);
  }
}

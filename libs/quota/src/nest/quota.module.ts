import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { QuotaLedger } from '../ledger/quota-ledger';
import type { QuotaOptions } from '../ledger/quota-options';
import { QuotaGuard } from './quota.guard';
import { QuotaInterceptor } from './quota.interceptor';

const QUOTA_OPTIONS = Symbol('QUOTA_OPTIONS');

export interface QuotaModuleAsyncOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: FactoryProvider['inject'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is injected is known to the caller only, as in Nest's own modules
  readonly useFactory: (...injected: any[]) => QuotaOptions | Promise<QuotaOptions>;
}

/** Global: one ledger serves the whole application. Options that are not usable fail at start-up. */
@Module({})
export class QuotaModule implements OnApplicationShutdown {
  constructor(@Inject(QuotaLedger) private readonly ledger: QuotaLedger) {}

  static forRootAsync({ imports = [], inject = [], useFactory }: QuotaModuleAsyncOptions): DynamicModule {
    return {
      module: QuotaModule,
      global: true,
      imports,
      providers: [
        { provide: QUOTA_OPTIONS, inject, useFactory },
        { provide: QuotaLedger, inject: [QUOTA_OPTIONS], useFactory: (options: QuotaOptions) => new QuotaLedger(options) },
        QuotaInterceptor,
        QuotaGuard,
      ],
      exports: [QuotaLedger, QuotaInterceptor, QuotaGuard],
    };
  }

  onApplicationShutdown(): void {
    this.ledger.close();
  }
}

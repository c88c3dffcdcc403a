import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AccessGate } from './access/access-gate';
import { TokenController } from './access/token.controller';
import type { MockConfiguration } from './configuration';
import { CallLog } from './control/call-log';
import { ControlController } from './control/control.controller';
import { ErrorFilter } from './control/error.filter';
import { SeedId } from './control/seed-id';
import { FaultInjector } from './faults/fault-injector';
import { QuotaGate } from './quota/quota-gate';
import { SpreadsheetStore } from './spreadsheet/store';
import { Clock } from './time/clock';
import { CallFlow } from './v4/call-flow';
import { Executor } from './v4/executor';
import { V4Controller } from './v4/v4.controller';

/** Chance in faults and latency starts from here unless a fault plan says otherwise. */
const DEFAULT_SEED = 1;

@Module({})
export class SheetsMockModule {
  static forConfiguration(configuration: MockConfiguration): DynamicModule {
    return {
      module: SheetsMockModule,
      controllers: [ControlController, TokenController, V4Controller],
      providers: [
        Clock,
        AccessGate,
        CallLog,
        SpreadsheetStore,
        Executor,
        CallFlow,
        { provide: QuotaGate, inject: [Clock], useFactory: (clock: Clock) => new QuotaGate(configuration.quota, clock) },
        {
          provide: FaultInjector,
          inject: [Clock],
          useFactory: (clock: Clock) => new FaultInjector({ ...configuration, seed: DEFAULT_SEED }, () => clock.nowMs()),
        },
        { provide: SeedId, useFactory: () => new SeedId(configuration.spreadsheetId) },
        { provide: APP_FILTER, useClass: ErrorFilter },
        {
          provide: APP_PIPE,
          useFactory: () => new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
        },
      ],
    };
  }
}

import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
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
import { TokenController } from './v4/token.controller';
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
        CallLog,
        SpreadsheetStore,
        Executor,
        CallFlow,
        { provide: QuotaGate, inject: [Clock], useFactory: (clock: Clock) => new QuotaGate(configuration.quota, clock) },
        { provide: FaultInjector, useFactory: () => new FaultInjector({ ...configuration, seed: DEFAULT_SEED }) },
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

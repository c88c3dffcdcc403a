/** What every role shares: Redis, the quota, the upstream, the log, the view, the drain's parts. */
import { HttpModule, HttpService } from '@nestjs/axios';
import { BullModule } from '@nestjs/bullmq';
import { Global, Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { closeRedis, connectRedis, RedisMemory } from '@app/platform';
import { QuotaLedger, QuotaModule } from '@app/quota';
import {
  BookDirectory,
  BookReader,
  CellStore,
  SheetFetcher,
  SheetReader,
  SnapshotRegister,
  TabDirectory,
  ViewStore,
} from '@app/sheet-view';
import {
  AccountPool,
  CIRCUIT_OPTIONS,
  httpModuleOptions,
  loadAccounts,
  SheetsApi,
  UpstreamClient,
  type CallGate,
} from '@app/sheets-client';
import {
  Backoff,
  BATCH_LIMITS,
  BatchSender,
  Drain,
  EVENTS_KEPT,
  DrainPauses,
  GridSource,
  queuePrefix,
  WRITE_QUEUE,
  WriteQueue,
  type DrainOptions,
} from '@app/write-queue';
import { LogOverview, WriteLog } from '@app/write-log';
import type { Redis } from 'ioredis';
import type { Configuration } from '../configuration';
import { Telemetry } from '../operations/telemetry';
import { CONFIGURATION, PASS_THROUGH_API, REDIS_FOR_REQUESTS, REDIS_FOR_WORKERS } from './tokens';
import { OpenGate, QuotaGate } from './quota-gate';
import { quotaOptions } from './quota-options';

/** Where rows are only appended, columns as old as this are believed. A person who renames one meanwhile gets the row set aside or misses it by seconds. */
const SNAPSHOT_YOUNG_MS = 10_000;

@Injectable()
class RedisConnections implements OnApplicationShutdown {
  constructor(
    @Inject(REDIS_FOR_REQUESTS) private readonly requests: Redis,
    @Inject(REDIS_FOR_WORKERS) private readonly workers: Redis,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([closeRedis(this.requests), closeRedis(this.workers)]);
  }
}

@Global()
@Module({})
export class CoreModule {
  static for(configuration: Configuration, telemetry: Telemetry): DynamicModule {
    const logger = new Logger('redis');
    const lastError = { text: '' };
    const report = (error: Error): void => {
      if (error.message !== lastError.text) logger.warn(`Redis: ${error.message || (error as NodeJS.ErrnoException).code}`);
      lastError.text = error.message;
    };
    const requests = connectRedis(configuration.redisUrl, 'request', report);
    const workers = connectRedis(configuration.redisUrl, 'worker', report);
    requests.on('ready', () => (lastError.text = ''));
    const { upstream, keyPrefix, keyColumnName } = configuration;

    const named = loadAccounts(upstream.accounts);
    const accounts = named.length === 0 ? AccountPool.ofNobody() : new AccountPool(named);
    const drainOptions: DrainOptions = {
      keyColumnName,
      limits: BATCH_LIMITS,
      leaseMs: configuration.quota.leaseMs,
      paceMs: configuration.drainPaceMs,
      paceDirectWrites: configuration.quota.preset === 'google',
      snapshotYoungMs: SNAPSHOT_YOUNG_MS,
      upstreamLagMaxMs: upstream.lagMaxMs,
      observe: telemetry.drainEvent,
    };

    const providers = [
      { provide: CONFIGURATION, useValue: configuration },
      { provide: Telemetry, useValue: telemetry },
      { provide: REDIS_FOR_REQUESTS, useValue: requests },
      { provide: REDIS_FOR_WORKERS, useValue: workers },
      RedisConnections,
      {
        provide: UpstreamClient,
        inject: [HttpService, QuotaLedger],
        useFactory: (http: HttpService, ledger: QuotaLedger): UpstreamClient => {
          return new UpstreamClient(http, new QuotaGate(ledger), accounts, upstream, telemetry.upstreamCall);
        },
      },
      {
        provide: PASS_THROUGH_API,
        inject: [HttpService, QuotaLedger],
        useFactory: (http: HttpService, ledger: QuotaLedger): SheetsApi => {
          const gate: CallGate = configuration.protection === 'off' ? new OpenGate() : new QuotaGate(ledger, { enforce: false });
          // As an application of its own would call: whatever fails, the next call is made.
          const circuit = { ...CIRCUIT_OPTIONS, failuresMax: 0, callsAtOnceMax: Infinity };
          return new SheetsApi(new UpstreamClient(http, gate, accounts, { ...upstream, circuit }, telemetry.upstreamCall));
        },
      },
      { provide: SheetsApi, inject: [UpstreamClient], useFactory: (client: UpstreamClient) => new SheetsApi(client) },
      { provide: RedisMemory, useFactory: () => new RedisMemory(requests) },
      { provide: WriteLog, useFactory: () => new WriteLog(requests, keyPrefix) },
      { provide: LogOverview, useFactory: () => new LogOverview(requests, keyPrefix) },
      { provide: SnapshotRegister, useFactory: () => new SnapshotRegister(requests, keyPrefix) },
      {
        provide: ViewStore,
        inject: [SnapshotRegister],
        useFactory: (register: SnapshotRegister) => new ViewStore(requests, keyColumnName, register, configuration.viewBytesMax),
      },
      { provide: TabDirectory, useFactory: () => new TabDirectory(requests) },
      { provide: CellStore, useFactory: () => new CellStore(requests) },
      { provide: BookDirectory, useFactory: () => new BookDirectory(requests) },
      {
        provide: SheetFetcher,
        inject: [SheetsApi, WriteLog, ViewStore, TabDirectory, BookDirectory],
        useFactory: (api: SheetsApi, log: WriteLog, store: ViewStore, tabs: TabDirectory, books: BookDirectory) =>
          new SheetFetcher(api, log, store, tabs, books, upstream.lagMaxMs),
      },
      {
        provide: SheetReader,
        inject: [WriteLog, ViewStore, TabDirectory, SheetFetcher],
        useFactory: (...parts: ConstructorParameters<typeof SheetReader>) => new SheetReader(...parts),
      },
      {
        provide: BookReader,
        inject: [WriteLog, CellStore, BookDirectory, SheetFetcher],
        useFactory: (log: WriteLog, store: CellStore, books: BookDirectory, fetcher: SheetFetcher) =>
          new BookReader(log, store, books, fetcher, keyColumnName),
      },
      {
        provide: Drain,
        inject: [WriteLog, SheetsApi, ViewStore, TabDirectory, SheetFetcher, DrainPauses],
        useFactory: (
          log: WriteLog,
          api: SheetsApi,
          store: ViewStore,
          tabs: TabDirectory,
          fetcher: SheetFetcher,
          pauses: DrainPauses,
        ): Drain => {
          const backoff = new Backoff();
          const grids = new GridSource(store, tabs, fetcher, drainOptions);
          const sender = new BatchSender(api, log, backoff, drainOptions);
          return new Drain(requests, log, api, grids, sender, backoff, drainOptions, pauses);
        },
      },
      { provide: DrainPauses, useFactory: () => new DrainPauses(requests, keyPrefix) },
      { provide: WriteQueue, useFactory: () => new WriteQueue(requests, keyPrefix) },
    ];

    return {
      module: CoreModule,
      imports: [
        HttpModule.register(httpModuleOptions(upstream)),
        QuotaModule.forRootAsync({
          useFactory: () => {
            const accountIds = accounts.accounts.map(({ id }) => id);
            return { ...quotaOptions(configuration, requests, accountIds), onModeChange: telemetry.modeChange };
          },
        }),
        // For the worker and the board; handlers add jobs through a connection that does not wait (WriteQueue).
        BullModule.forRoot({ connection: workers, prefix: queuePrefix(keyPrefix) }),
        BullModule.registerQueue({ name: WRITE_QUEUE, streams: EVENTS_KEPT }),
      ],
      providers,
      exports: [...providers.map((provider) => ('provide' in provider ? provider.provide : provider)), BullModule, QuotaModule],
    };
  }
}

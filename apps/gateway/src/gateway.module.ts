/** One image, several roles: `api` answers clients, `drain` works off the queue, `all` does both. */
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Heartbeat, LogTrimmer, Sweeper, WriteProcessor } from '@app/write-queue';
import type { Configuration } from './configuration';
import { CoreModule } from './core/core.module';
import { OperatorBoardModule } from './operations/bull-board/bull-board.module';
import { DrainControl } from './operations/control/drain-control';
import { OperationsController } from './operations/control/operations.controller';
import { QuotaControl } from './operations/control/quota-control';
import { SnapshotControl } from './operations/control/snapshot-control';
import { DrainHealth } from './operations/health/drain-health';
import { HealthController } from './operations/health/health.controller';
import { RedisHealth } from './operations/health/redis-health';
import { UpstreamHealthIndicator } from './operations/health/upstream-health';
import { GatewayMetrics, MetricsController } from './operations/metrics';
import { StatusModule } from './operations/status/status.module';
import type { Telemetry } from './operations/telemetry';
import { TimelineModule } from './operations/timeline';
import { PassThroughRows } from './rows/pass-through-rows';
import { RowsController } from './rows/rows.controller';
import { RowsService } from './rows/rows.service';
import { WorkbookGuard } from './rows/workbook-guard';
import { WritePath } from './rows/write-path';
import { PassThroughV4 } from './sheets-v4/pass-through-v4';
import { SheetsV4Controller } from './sheets-v4/sheets-v4.controller';
import { SheetsV4Service } from './sheets-v4/sheets-v4.service';
import { V4Writes } from './sheets-v4/v4-writes';
import { V4Reads } from './sheets-v4/v4-reads';
import { WritesController } from './writes/writes.controller';

@Module({})
export class GatewayModule {
  static for(configuration: Configuration, telemetry: Telemetry): DynamicModule {
    const answersClients = configuration.role !== 'drain';
    const drains = configuration.role !== 'api' && configuration.protection === 'full';
    const drainProviders: Provider[] = drains ? [WriteProcessor, Heartbeat, Sweeper, LogTrimmer] : [];
    return {
      module: GatewayModule,
      imports: [
        CoreModule.for(configuration, telemetry),
        TerminusModule.forRoot({ errorLogStyle: 'json', logger: false }),
        TimelineModule,
        ...(answersClients ? [OperatorBoardModule, StatusModule] : []),
      ],
      controllers: answersClients
        ? [RowsController, SheetsV4Controller, WritesController, OperationsController, HealthController, MetricsController]
        : [HealthController, MetricsController],
      providers: [
        RedisHealth,
        DrainHealth,
        UpstreamHealthIndicator,
        SheetsV4Service,
        V4Reads,
        V4Writes,
        PassThroughV4,
        RowsService,
        WritePath,
        WorkbookGuard,
        PassThroughRows,
        GatewayMetrics,
        DrainControl,
        QuotaControl,
        SnapshotControl,
        ...drainProviders,
      ],
    };
  }
}

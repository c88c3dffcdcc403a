/** What the operators' command line asks for. Access and the audit log are seen to before (`http/access.ts`, `http/audit.ts`). */
import { Body, Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Mode } from '@app/quota';
import { UpstreamClient } from '@app/sheets-client';
import type { Pause } from '@app/write-queue';
import type { FastifyRequest } from 'fastify';
import type { Configuration } from '../../configuration';
import { CONFIGURATION } from '../../core/tokens';
import { operatorsOf, type Operators } from '../../http/operators';
import { PauseBody, QuotaResetBody, RefreshBody, SpreadsheetBody } from './control-bodies';
import { DrainControl, type Backlog } from './drain-control';
import { QuotaControl, type QuotaReport } from './quota-control';
import { SnapshotControl, type RefreshedSnapshots } from './snapshot-control';

export interface StatusReport {
  readonly role: Configuration['role'];
  readonly protection: Configuration['protection'];
  readonly mode: Mode;
  readonly upstream: { readonly state: 'ok' | 'failing'; readonly lastFailure?: string; readonly since?: string };
  readonly quotas: readonly QuotaReport[];
  /** `paused`: all of it; `pauses` names single spreadsheets too. */
  readonly drain: {
    readonly paused: boolean;
    readonly pauses: readonly Pause[];
    readonly jobs: Readonly<Record<string, number>>;
  };
  readonly writes: { readonly pending: number; readonly spreadsheets: readonly Backlog[] };
}

export interface DrainReport {
  readonly pending: number;
  readonly spreadsheets: readonly Backlog[];
}

@ApiTags('operations')
@Controller('operations')
export class OperationsController {
  private readonly operators: Operators;

  constructor(
    private readonly drain: DrainControl,
    private readonly quotas: QuotaControl,
    private readonly snapshots: SnapshotControl,
    private readonly upstream: UpstreamClient,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    this.operators = operatorsOf(configuration);
  }

  @Get('status')
  @ApiOperation({ summary: 'Mode, quotas, drain and backlog at a glance' })
  async status(): Promise<StatusReport> {
    const [quotas, pauses, jobs, spreadsheets] = await Promise.all([
      this.quotas.report(),
      this.drain.list(),
      this.drain.jobs(),
      this.drain.backlog(),
    ]);
    const { failing, lastFailure, lastFailureMs } = this.upstream.health;
    return {
      role: this.configuration.role,
      protection: this.configuration.protection,
      mode: quotas.some(({ mode }) => mode === 'degraded') ? 'degraded' : 'direct',
      upstream: {
        state: failing ? 'failing' : 'ok',
        ...(failing ? { lastFailure, since: new Date(lastFailureMs as number).toISOString() } : {}),
      },
      quotas,
      drain: { paused: pauses.some(({ spreadsheetId }) => spreadsheetId === undefined), pauses, jobs },
      writes: { pending: spreadsheets.reduce((sum, { pendingWrites }) => sum + pendingWrites, 0), spreadsheets },
    };
  }

  @Post('drain')
  @HttpCode(202)
  @ApiOperation({ summary: 'See to it that pending writes are sent as soon as quota and pace allow' })
  async drainNow(@Body() { spreadsheetId }: SpreadsheetBody): Promise<DrainReport> {
    const spreadsheets = await this.drain.drainNow(spreadsheetId);
    return { pending: spreadsheets.reduce((sum, { pendingWrites }) => sum + pendingWrites, 0), spreadsheets };
  }

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send no writes upstream, of all spreadsheets or of one, until resumed; writes are accepted, 202' })
  async pause(@Body() { spreadsheetId, reason }: PauseBody, @Req() request: FastifyRequest): Promise<Pause> {
    const by = this.operators.identify(request.headers.authorization)?.name ?? 'unknown';
    return await this.drain.pause(spreadsheetId, { by, reason });
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send writes again; a spreadsheet that was paused by itself stays so until it is resumed by itself' })
  async resume(@Body() { spreadsheetId }: SpreadsheetBody): Promise<{ resumed: boolean }> {
    return await this.drain.resume(spreadsheetId);
  }

  @Post('snapshots/refresh')
  @HttpCode(200)
  @ApiOperation({ summary: 'Fetch a sheet, or a whole spreadsheet, by one upstream call' })
  async refresh(@Body() { spreadsheetId, sheet }: RefreshBody): Promise<RefreshedSnapshots> {
    return await this.snapshots.refresh(spreadsheetId ?? this.configuration.spreadsheetId, sheet);
  }

  @Get('quota')
  @ApiOperation({ summary: 'Every quota: counted calls by lane, in flight, learnt limits, foreign use' })
  async quota(): Promise<{ quotas: QuotaReport[] }> {
    return { quotas: await this.quotas.report() };
  }

  @Post('quota/reset')
  @HttpCode(200)
  @ApiOperation({ summary: 'Forget learnt limits, foreign use and the mode; with `calls`, the counted calls too' })
  async resetQuota(@Body() { quota, calls = false }: QuotaResetBody): Promise<{ quotas: QuotaReport[] }> {
    return { quotas: await this.quotas.reset({ quota, calls }) };
  }
}

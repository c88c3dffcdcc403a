import { Body, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { AccessGate } from '../access/access-gate';
import { FaultInjector } from '../faults/fault-injector';
import { QuotaGate } from '../quota/quota-gate';
import { CASE_STUDY, GOOGLE, type QuotaSettings } from '../quota/quota-models';
import { seedWorkbook } from '../seed/seed-workbook';
import { SpreadsheetStore } from '../spreadsheet/store';
import { Clock } from '../time/clock';
import { CallLog } from './call-log';
import { AccessBody, CallsQuery, ClockBody, FaultsBody, QuotaBody, ResetBody, ScriptBody } from './control-bodies';
import { SeedId } from './seed-id';

/** For tests and people: looks at the mock and changes how it behaves. Not counted, not delayed, never at fault. */
@Controller('control')
export class ControlController {
  constructor(
    private readonly log: CallLog,
    private readonly quota: QuotaGate,
    private readonly faults: FaultInjector,
    private readonly store: SpreadsheetStore,
    private readonly clock: Clock,
    private readonly seed: SeedId,
    private readonly access: AccessGate,
  ) {}

  @Get('calls')
  calls(@Query() { sinceMs }: CallsQuery) {
    return this.log.list(sinceMs);
  }

  @Post('reset')
  @HttpCode(200)
  reset(@Body() body: ResetBody = {}) {
    const { spreadsheets, calls, quota, faults, access, clock } = body;
    const all = Object.keys(body).length === 0;
    if (all || spreadsheets) this.store.replaceAll([seedWorkbook(this.seed.spreadsheetId)]);
    if (all || calls) this.log.clear();
    if (all || quota) this.quota.reset();
    if (all || faults) this.useFaults({});
    if (all || access) this.access.use({});
    // Not with all: time that went back would give places of the quota back.
    if (clock) this.clock.reset();
    return {};
  }

  @Get('quota')
  getQuota() {
    return this.quota.describe();
  }

  @Put('quota')
  putQuota(@Body() body: QuotaBody) {
    this.quota.use(settingsOf(body));
    return this.quota.describe();
  }

  @Get('faults')
  getFaults() {
    return this.faults.describe();
  }

  @Put('faults')
  putFaults(@Body() body: FaultsBody) {
    this.useFaults(body);
    return this.faults.describe();
  }

  @Get('clock')
  getClock() {
    return { nowMs: this.clock.nowMs(), frozen: this.clock.isFrozen };
  }

  @Put('clock')
  putClock(@Body() { advanceMs, nowMs, frozen }: ClockBody) {
    if (frozen !== undefined) this.clock.freeze(frozen);
    if (nowMs !== undefined) this.clock.set(nowMs);
    if (advanceMs !== undefined) this.clock.advance(advanceMs);
    return this.getClock();
  }

  @Get('access')
  getAccess() {
    return this.access.describe();
  }

  @Put('access')
  putAccess(@Body() body: AccessBody) {
    this.access.use(body);
    return this.access.describe();
  }

  /** The clock first, since the times of the rules count from now. */
  @Post('script')
  @HttpCode(200)
  runScript(@Body() { quota, access, clock, ...plan }: ScriptBody) {
    if (clock) this.putClock(clock);
    if (quota) this.putQuota(quota);
    if (access) this.putAccess(access);
    this.useFaults(plan);
    return { quota: this.getQuota(), access: this.getAccess(), clock: this.getClock(), ...this.getFaults() };
  }

  private useFaults(plan: FaultsBody): void {
    this.faults.use(plan);
    this.store.historyMs = this.faults.historyMs;
  }
}

function settingsOf({
  model,
  limit,
  refillPerSecond,
  projectLimit,
  userLimit,
  window,
  foreignShare = 0,
}: QuotaBody): QuotaSettings {
  if (model === 'off') return { model };
  if (model === 'case-study') {
    return {
      model,
      limit: limit ?? CASE_STUDY.limit,
      refillPerSecond: refillPerSecond ?? CASE_STUDY.refillPerSecond,
      foreignShare,
    };
  }
  return {
    model,
    projectLimit: projectLimit ?? GOOGLE.projectLimit,
    userLimit: userLimit ?? GOOGLE.userLimit,
    window: window ?? GOOGLE.window,
    foreignShare,
  };
}

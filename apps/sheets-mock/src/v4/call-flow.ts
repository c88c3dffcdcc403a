/**
 * The way of a call through the mock:
 *
 *   arrives -> logged -> token looked at -> place in the quota -> fault drawn -> half of the latency -> carried out -> other half -> answered
 *
 * The place is taken, or refused, on arrival. A refused call waits REFUSAL_LATENCY_MS at most, as the service refuses before
 * it works. The effect comes in the middle of the latency, so that a client which gives up early may or may not have written.
 * Calls with the header X-Mock-Uncounted come from a person at the spreadsheet: they pass all of this by.
 */
import { Injectable } from '@nestjs/common';
import { quotaErrorBody } from '@app/sheets-wire';
import { ApiError, findRoute, internalError, parseBody, type RawCall, type Route } from '@app/workbook';
import { AccessGate, type Caller } from '../access/access-gate';
import { CallLog } from '../control/call-log';
import { FaultInjector } from '../faults/fault-injector';
import { delayOf, type FaultRule } from '../faults/fault-plan';
import { refusalOfText } from '../faults/refused-text';
import { QuotaGate } from '../quota/quota-gate';
import type { Refusal } from '../quota/quota-models';
import { Clock } from '../time/clock';
import { Executor, type ExecuteOptions } from './executor';

/** How long the service takes to say no for the quota, at most. */
const REFUSAL_LATENCY_MS = 10;

export interface Incoming {
  readonly method: string;
  readonly rawPath: string;
  readonly query: URLSearchParams;
  readonly bodyText: string;
  readonly caller: Caller;
  readonly uncounted: boolean;
  /** Ends when the client has gone. */
  readonly gone: AbortSignal;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'html'; readonly status: number; readonly html: string }
  /** The connection is destroyed without an answer. */
  | { readonly kind: 'cut' };

const CUT: Outcome = { kind: 'cut' };

/** As whom, and as of when a call is carried out. */
type ExecuteAs = Pick<ExecuteOptions, 'checkPermission' | 'asOfMs'>;

@Injectable()
export class CallFlow {
  private running = 0;

  constructor(
    private readonly clock: Clock,
    private readonly access: AccessGate,
    private readonly quota: QuotaGate,
    private readonly faults: FaultInjector,
    private readonly log: CallLog,
    private readonly executor: Executor,
  ) {}

  get callsRunning(): number {
    return this.running;
  }

  async handle(incoming: Incoming): Promise<Outcome> {
    const route = findRoute(incoming.method, incoming.rawPath);
    if (!route) return failed(unknownPath(incoming));
    const call: RawCall = {
      route,
      isGet: incoming.method === 'GET',
      query: incoming.query,
      json: () => parseBody(incoming.bodyText),
    };
    if (incoming.uncounted) return this.carryOut(call, {});
    const { access } = route.method;
    const entry = this.log.add({
      atMs: this.clock.nowMs(),
      method: incoming.method,
      path: incoming.rawPath,
      kind: access,
      status: 0,
    });
    this.running += 1;
    try {
      const outcome = await this.counted(call, incoming, route);
      if (outcome.kind !== 'cut') entry.status = outcome.status;
      return outcome;
    } finally {
      this.running -= 1;
    }
  }

  private async counted(call: RawCall, incoming: Incoming, route: Route): Promise<Outcome> {
    const arrivedMs = this.clock.nowMs();
    const as: ExecuteAs = { checkPermission: (id, kind) => this.access.checkPermission(incoming.caller, id, kind) };
    const latencyMs = this.faults.drawLatencyMs();
    const { access } = route.method;
    try {
      this.access.checkCredentials(incoming.caller);
    } catch (error) {
      if (error instanceof ApiError) return failed(error);
      throw error;
    }
    const refusal = this.quota.take(access, incoming.caller.user);
    if (refusal) return await this.refused(refusal, latencyMs);
    const { spreadsheetId } = route;
    const rule = this.faults.pick({
      access,
      method: incoming.method,
      path: incoming.rawPath,
      spreadsheetId,
      bodyText: incoming.bodyText,
    });
    if (rule?.fault === '429') {
      const { metric = access === 'read' ? 'read_requests' : 'write_requests', scope = 'user', limitValue = 60 } = rule;
      return await this.refused({ metric, scope, limitValue }, latencyMs);
    }
    if (rule?.fault === 'cut') return CUT;
    if (rule?.fault === 'hang') return await this.hang(incoming);
    if (rule?.fault === 'apply-late') return await this.applyLate(call, rule, as);
    const extraMs = rule?.fault === 'latency' ? delayOf(rule) : 0;
    if (!(await this.clock.wait((latencyMs + extraMs) / 2))) return CUT;
    const outcome = this.midway(call, rule, incoming.bodyText, { ...as, arrivedMs });
    if (!(await this.clock.wait((latencyMs + extraMs) / 2))) return CUT;
    return outcome;
  }

  private async refused(refusal: Refusal, latencyMs: number): Promise<Outcome> {
    await this.clock.wait(Math.min(latencyMs, REFUSAL_LATENCY_MS));
    return { kind: 'answer', status: 429, body: quotaErrorBody(refusal) };
  }

  /** What happens in the middle of the latency. */
  private midway(
    call: RawCall,
    rule: FaultRule | undefined,
    bodyText: string,
    { arrivedMs, ...as }: ExecuteAs & { arrivedMs: number },
  ): Outcome {
    switch (rule?.fault) {
      case '500':
        return failed(internalError());
      case '503':
        return failed(unavailable());
      case 'html-502':
        return { kind: 'html', status: 502, html: BAD_GATEWAY_PAGE };
      case 'refuse-text':
        return failed(refusalOfText(safeBody(bodyText), rule.text ?? ''));
      case 'apply-then-503': {
        const outcome = this.carryOut(call, as);
        return isSuccess(outcome) ? failed(unavailable()) : outcome;
      }
      case 'cut-after-apply':
        this.carryOut(call, as);
        return CUT;
      case 'lagging-reads':
        return this.carryOut(call, { ...as, asOfMs: arrivedMs - delayOf(rule) });
      default:
        return this.carryOut(call, as);
    }
  }

  /** Until the client gives up or the mock stops; nothing is applied. */
  private async hang({ gone }: Incoming): Promise<Outcome> {
    while (!gone.aborted && (await this.clock.wait(HANG_ROUND_MS, gone)));
    return CUT;
  }

  /** The client hears nothing; the write is applied after the delay, whether the client is still there or not. */
  private async applyLate(call: RawCall, rule: FaultRule, as: ExecuteAs): Promise<Outcome> {
    if (await this.clock.wait(delayOf(rule))) this.carryOut(call, as);
    return CUT;
  }

  private carryOut(call: RawCall, as: ExecuteAs): Outcome {
    try {
      const { acceptClashingMetadataIds } = this.faults;
      return { kind: 'answer', status: 200, body: this.executor.execute(call, { acceptClashingMetadataIds, ...as }) };
    } catch (error) {
      if (error instanceof ApiError) return failed(error);
      throw error;
    }
  }
}

const HANG_ROUND_MS = 60_000;

const BAD_GATEWAY_PAGE = `<!DOCTYPE html>
<html lang=en>
<title>Error 502 (Server Error)!!1</title>
<p><b>502.</b> <ins>That's an error.</ins>
<p>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds. <ins>That's all we know.</ins>
`;

function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answer' && outcome.status === 200;
}

function failed(error: ApiError): Outcome {
  return { kind: 'answer', status: error.code, body: error.body };
}

function unavailable(): ApiError {
  return new ApiError(503, 'UNAVAILABLE', 'The service is currently unavailable.');
}

function unknownPath({ method, rawPath }: Incoming): ApiError {
  return new ApiError(404, 'NOT_FOUND', `sheets-mock serves no ${method} ${rawPath}. The Sheets API lives under /v4/spreadsheets, the mock's own routes under /control.`); // prettier-ignore
}

function safeBody(text: string): unknown {
  try {
    return parseBody(text);
  } catch {
    return undefined;
  }
}

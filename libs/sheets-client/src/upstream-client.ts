/**
 * One HTTP call to the upstream: permit, deadline, send, settle. Nothing is retried here, neither by us nor by the HTTP
 * library: a retry costs quota again, so whoever wants one asks for another permit.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type HttpService } from '@nestjs/axios';
import { monotonicMs, stepAfterSend } from '@app/platform';
import { isAxiosError, isCancel, type AxiosRequestConfig } from 'axios';
import type { AccountPool, UpstreamAccount } from './accounts';
import type { CallAccess, CallGate, CallPermit, CallLane } from './call-gate';
import { SpreadsheetCircuits, type CircuitOptions } from './spreadsheet-circuits';
import type { UpstreamAnswer } from './upstream-answer';
import { UpstreamHealth } from './upstream-health';
import { outcomeOf, type UpstreamObserver } from './upstream-observer';

export interface UpstreamOptions {
  /** Scheme, host and port, without a trailing slash. */
  readonly baseUrl: string;
  /** From writing the request to having read the whole answer; at it the socket is destroyed. */
  readonly timeoutMs: number;
  /** When calls of a spreadsheet that fails are held back. */
  readonly circuit?: CircuitOptions;
}

export interface UpstreamCall {
  readonly lane: CallLane;
  readonly access: CallAccess;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Already encoded, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Runs with the permit in hand, right before the request is written; if it answers false nothing is sent. */
  readonly beforeSend?: () => Promise<boolean>;
}

/** Errors of a connection that never came about: the request cannot have reached the upstream. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** These can also end a connection that stood, with the request already sent: they decide only while connecting. */
const NO_ROUTE = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/** Sockets kept for the upstream: more than the quota can keep busy at once, fewer than would trouble a small machine. */
const SOCKETS_MAX = 64;

/** The largest answer that is read: several times the payload that the service advises (2 MB). */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export function httpModuleOptions(options: UpstreamOptions): AxiosRequestConfig {
  const agentOptions = { keepAlive: true, maxSockets: SOCKETS_MAX };
  return {
    baseURL: options.baseUrl,
    timeout: options.timeoutMs,
    maxRedirects: 0,
    maxContentLength: ANSWER_BYTES_MAX,
    maxBodyLength: ANSWER_BYTES_MAX,
    validateStatus: () => true,
    responseType: 'text',
    transformResponse: (text: unknown) => text,
    httpAgent: new HttpAgent(agentOptions),
    httpsAgent: new HttpsAgent(agentOptions),
  };
}

type NotSent = Extract<UpstreamAnswer<never>, { kind: 'refused' | 'withheld' | 'unreachable' }>;

export class UpstreamClient {
  readonly health = new UpstreamHealth();
  readonly circuits: SpreadsheetCircuits;

  constructor(
    private readonly http: HttpService,
    private readonly gate: CallGate,
    readonly accounts: AccountPool,
    readonly options: UpstreamOptions,
    private readonly observe?: UpstreamObserver,
  ) {
    this.circuits = new SpreadsheetCircuits(options.circuit);
  }

  /**
   * As one of the accounts that may make the call. Where the upstream says that this one may not, or does not know its token, the
   * call is decided as not applied, and is made by the next one: on a permit of its own.
   */
  async call<T>(call: UpstreamCall): Promise<UpstreamAnswer<T>> {
    const spreadsheetId = spreadsheetIn(call.path);
    return await this.circuits.run(spreadsheetId, async () => await this.callAsSomebody<T>(call, spreadsheetId));
  }

  private async callAsSomebody<T>(call: UpstreamCall, spreadsheetId: string): Promise<UpstreamAnswer<T>> {
    const tried = new Set<UpstreamAccount>();
    let last: UpstreamAnswer<T> | undefined;
    let renewedToken = false;
    for (;;) {
      const candidates = this.accounts.candidates(spreadsheetId, call.access, tried);
      if (candidates.length === 0 && last !== undefined) return last;
      const { account, answer } = await this.attempt<T>(call, candidates);
      if (account === undefined) return answer;
      if (answer.kind === 'answered') this.accounts.noteAllowed(account, spreadsheetId, call.access);
      const isRefusedToken = answer.kind === 'rejected' && answer.status === 401;
      const isDenied = answer.kind === 'rejected' && answer.status === 403;
      const cannotSignIn = answer.kind === 'unreachable' && answer.cannotSignIn === true;
      if (isRefusedToken && !renewedToken && account.forgetToken()) {
        renewedToken = true;
      } else if (isDenied || cannotSignIn) {
        if (isDenied) this.accounts.noteDenied(account, spreadsheetId, call.access);
        else this.accounts.noteSignInFailed(account);
        tried.add(account);
        last = answer;
      } else return answer;
    }
  }

  /** One call on one permit, as one of `candidates`: the account is told where a call was made as it, or was meant to be. */
  private async attempt<T>(
    call: UpstreamCall,
    candidates: readonly UpstreamAccount[],
  ): Promise<{ readonly account?: UpstreamAccount; readonly answer: UpstreamAnswer<T> }> {
    const gateAnswer = await this.gate.reserve(call.lane, call.access, candidates.map(({ id }) => id)); // prettier-ignore
    if (!gateAnswer.granted) {
      const answer = { kind: 'refused', refusal: gateAnswer.refusal } as const;
      this.tell(call, answer, 0);
      return { answer };
    }
    const { permit } = gateAnswer;
    const account = candidates.find(({ id }) => id === permit.accountId) ?? candidates[0];
    const headers = await this.prepare(call, account, permit);
    if ('kind' in headers) {
      this.tell(call, headers, 0);
      return { account, answer: headers };
    }
    const beganMs = monotonicMs();
    const answer = await this.send<T>(call, account, headers.headers, permit);
    this.health.note(answer);
    this.tell(call, answer, monotonicMs() - beganMs);
    return { account, answer };
  }

  private tell({ lane, access, method }: UpstreamCall, answer: UpstreamAnswer<unknown>, durationMs: number): void {
    this.observe?.({ lane, access, method, outcome: outcomeOf(answer), durationMs });
  }

  /** Everything before the first byte: the account's headers, or the answer where nothing is to be sent. */
  private async prepare(
    call: UpstreamCall,
    account: UpstreamAccount,
    permit: CallPermit,
  ): Promise<NotSent | { readonly headers: Record<string, string> }> {
    let headers: Record<string, string>;
    try {
      headers = await account.headers();
    } catch (error) {
      await permit.release();
      const message = `could not sign in: ${(error as Error).message}`;
      const answer = { kind: 'unreachable', message, cannotSignIn: true } as const;
      this.health.note(answer);
      return answer;
    }
    try {
      if (call.beforeSend !== undefined && !(await call.beforeSend())) {
        await permit.release();
        return { kind: 'withheld', message: 'the right to send was lost before the request was written' };
      }
    } catch (error) {
      await permit.release();
      throw error;
    }
    // A process that was paused between its permit and here must not send: its place may count no more.
    if (monotonicMs() > permit.sendByMs) {
      await permit.release();
      return { kind: 'unreachable', message: 'too late to send: the permit had run out', tooLate: true };
    }
    return { headers };
  }

  private async send<T>(
    call: UpstreamCall,
    account: UpstreamAccount,
    headers: Record<string, string>,
    permit: CallPermit,
  ): Promise<UpstreamAnswer<T>> {
    // The library's own time-out begins anew with each byte in some versions; the signal is the deadline of the whole.
    const deadline = AbortSignal.timeout(this.options.timeoutMs);
    try {
      if (call.access === 'write') stepAfterSend();
      const response = await this.http.axiosRef.request<string>({
        method: call.method,
        url: call.path,
        data: call.body === undefined ? undefined : JSON.stringify(call.body),
        headers: { ...headers, ...(call.body === undefined ? {} : { 'content-type': 'application/json' }) },
        signal: deadline,
      });
      await permit.settle();
      return await this.read<T>(call, account, response.status, response.data);
    } catch (error) {
      const code = isAxiosError(error) ? error.code : undefined;
      if (code !== undefined && neverSent(code, error)) {
        await permit.release();
        return { kind: 'unreachable', message: `the upstream cannot be reached: ${code}` };
      }
      // No answer: the call may still arrive, so the permit keeps its lease.
      const late = deadline.aborted || isCancel(error) || code === 'ECONNABORTED' || code === 'ETIMEDOUT';
      return {
        kind: 'unknown',
        message: late
          ? `no answer within ${this.options.timeoutMs} ms`
          : `the connection failed: ${code ?? (error as Error).message}`,
        ...(late ? { timedOut: true as const } : {}),
      };
    }
  }

  private async read<T>(call: UpstreamCall, account: UpstreamAccount, status: number, text: string): Promise<UpstreamAnswer<T>> {
    const body = parseJson(text);
    if (status >= 200 && status < 300) {
      return typeof body !== 'object' || body === null
        ? { kind: 'unknown', status, message: `the upstream answered ${status} with something other than a JSON object` }
        : { kind: 'answered', body: body as T };
    }
    const message = (body as { error?: { message?: string } } | undefined)?.error?.message ?? `status ${status}`;
    if (status === 429 || (status === 403 && isRateRefusal(body))) {
      await this.gate.refusedByUpstream(call.access, account.id, body);
      return { kind: 'rejected', status: 429, message, body };
    }
    if (status >= 400 && status < 500) return { kind: 'rejected', status, message, body };
    return { kind: 'unknown', status, message };
  }
}

function neverSent(code: string, error: unknown): boolean {
  const { cause } = error as { cause?: { syscall?: string } };
  return NEVER_CONNECTED.has(code) || (NO_ROUTE.has(code) && cause?.syscall === 'connect');
}

/** Reasons with which older answers and Drive say "too often" under a 403. Source: "Resolve errors" of the Drive API. */
const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']);

/** A 403 that means "too often" and not "you may not". */
function isRateRefusal(body: unknown): boolean {
  type Reasons = readonly { readonly reason?: string }[];
  const { error } = (body ?? {}) as { error?: { errors?: Reasons; details?: Reasons } };
  return [...(error?.errors ?? []), ...(error?.details ?? [])].some(({ reason }) => RATE_REASONS.has(reason ?? ''));
}

/** Which spreadsheet a path is about; empty: none, as of a call that creates one. */
function spreadsheetIn(path: string): string {
  return /^\/v4\/spreadsheets\/([^/:?]+)/.exec(path)?.[1] ?? '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * One HTTP call to the upstream: permit, deadline, send, settle. Nothing is retried here, neither by us nor by the HTTP
 * library: a retry costs quota again, so whoever wants one asks for another permit.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type HttpService } from '@nestjs/axios';
import { monotonicMs, stepAfterSend } from '@app/platform';
import { isAxiosError, isCancel, type AxiosRequestConfig } from 'axios';
import type { CallAccess, CallGate, CallLane, CallPermit } from './call-gate';
import type { UpstreamAnswer } from './upstream-answer';
import type { UpstreamCredentials } from './upstream-credentials';
import { UpstreamHealth } from './upstream-health';
import { outcomeOf, type UpstreamObserver } from './upstream-observer';

export interface UpstreamOptions {
  /** Scheme, host and port, without a trailing slash. */
  readonly baseUrl: string;
  /** From writing the request to having read the whole answer; at it the socket is destroyed. */
  readonly timeoutMs: number;
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

  constructor(
    private readonly http: HttpService,
    private readonly gate: CallGate,
    private readonly credentials: UpstreamCredentials,
    readonly options: UpstreamOptions,
    private readonly observe?: UpstreamObserver,
  ) {}

  async call<T>(call: UpstreamCall): Promise<UpstreamAnswer<T>> {
    const ready = await this.prepare(call);
    if ('kind' in ready) {
      this.tell(call, ready, 0);
      return ready;
    }
    const beganMs = monotonicMs();
    const answer = await this.send<T>(call, ready.headers, ready.permit);
    this.health.note(answer);
    this.tell(call, answer, monotonicMs() - beganMs);
    return answer;
  }

  private tell({ lane, access, method }: UpstreamCall, answer: UpstreamAnswer<unknown>, durationMs: number): void {
    this.observe?.({ lane, access, method, outcome: outcomeOf(answer), durationMs });
  }

  /** Everything before the first byte: the permit and the credentials, or the answer where nothing is to be sent. */
  private async prepare(
    call: UpstreamCall,
  ): Promise<NotSent | { readonly permit: CallPermit; readonly headers: Record<string, string> }> {
    const gateAnswer = await this.gate.reserve(call.lane, call.access);
    if (!gateAnswer.granted) return { kind: 'refused', refusal: gateAnswer.refusal };
    const { permit } = gateAnswer;

    let headers: Record<string, string>;
    try {
      headers = await this.credentials.headers();
    } catch (error) {
      await permit.release();
      const answer = { kind: 'unreachable', message: `could not sign in: ${(error as Error).message}` } as const;
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
    return { permit, headers };
  }

  private async send<T>(call: UpstreamCall, headers: Record<string, string>, permit: CallPermit): Promise<UpstreamAnswer<T>> {
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
      return await this.read<T>(call, response.status, response.data);
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

  private async read<T>(call: UpstreamCall, status: number, text: string): Promise<UpstreamAnswer<T>> {
    const body = parseJson(text);
    if (status >= 200 && status < 300) {
      return typeof body !== 'object' || body === null
        ? { kind: 'unknown', status, message: `the upstream answered ${status} with something other than a JSON object` }
        : { kind: 'answered', body: body as T };
    }
    const message = (body as { error?: { message?: string } } | undefined)?.error?.message ?? `status ${status}`;
    if (status === 429 || (status === 403 && isRateRefusal(body))) {
      await this.gate.refusedByUpstream(call.access, body);
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

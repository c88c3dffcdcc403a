import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { catchError, from, map, mergeMap, throwError, type Observable } from 'rxjs';
import { answerOf, type Answer } from '../http/answer';
import { quotaHeaders } from '../http/quota-headers';
import { QuotaLedger } from '../ledger/quota-ledger';
import type { QuotaStatus } from '../ledger/quota-status';

/** What Fastify's reply and Express's response have in common. */
interface HeaderTarget {
  header(name: string, value: string): unknown;
  readonly sent?: boolean;
  readonly headersSent?: boolean;
}

/**
 * Puts the quota's headers on every answer of a handler, success or error. What is refused before a handler is chosen (no such
 * route, guards) does not come by here: an exception filter or a hook can call `headersFor` for it.
 */
@Injectable()
export class QuotaInterceptor implements NestInterceptor {
  /** One status serves many answers. */
  private latest?: Answer & { readonly status: QuotaStatus; readonly headers: Readonly<Record<string, string>> };

  constructor(private readonly ledger: QuotaLedger) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const tell = (): Observable<void> => from(this.tell(http.getRequest<object>(), http.getResponse<HeaderTarget>()));
    return next.handle().pipe(
      mergeMap((body) => tell().pipe(map(() => body as unknown))),
      catchError((error: unknown) => tell().pipe(mergeMap(() => throwError(() => error)))),
    );
  }

  /** While Redis is away, what was heard last; never fails. */
  async headersFor(request: object): Promise<Record<string, string>> {
    return quotaHeaders(await this.currentStatus(), answerOf(request));
  }

  /**
   * The same headers for who answers before Nest chooses a handler; without waiting where the status is fresh.
   * `answer`: what that answer says of itself.
   */
  headersNow(answer: Answer): Readonly<Record<string, string>> | undefined {
    const status = this.ledger.freshStatus();
    if (status === undefined) return undefined;
    const { degraded, reason } = answer;
    const same = this.latest?.status === status && this.latest.degraded === degraded && this.latest.reason === reason;
    if (!same) this.latest = { status, degraded, reason, headers: quotaHeaders(status, answer) };
    return this.latest?.headers;
  }

  private async tell(request: object, response: HeaderTarget): Promise<void> {
    const headers = await this.headersFor(request);
    if (response.sent || response.headersSent) return;
    for (const [name, value] of Object.entries(headers)) response.header(name, value);
  }

  private async currentStatus(): Promise<QuotaStatus | undefined> {
    try {
      return await this.ledger.status();
    } catch {
      return this.ledger.lastStatus();
    }
  }
}

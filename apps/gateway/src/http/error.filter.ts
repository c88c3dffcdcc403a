/** Turns whatever was thrown into JSON with a stable code. What is not meant for clients goes to the log, not to the answer. */
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { CodedError, isRedisFull, isRedisUnavailable, type ErrorFacts } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { googleErrorOf, isSheetsV4 } from '../sheets-v4/google-answer';

/** Codes for what Nest and Fastify themselves refuse. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid-request',
  401: 'unauthorized',
  404: 'unknown-path',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  503: 'not-ready',
};

@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  constructor(private readonly bodyBytesMax: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    if (isHealthReport(error)) {
      void reply.status(error.getStatus()).send(error.getResponse());
      return;
    }
    const facts = this.factsOf(error, request);
    if (facts.retryAfterMs !== undefined)
      void reply.header('Retry-After', String(Math.max(1, Math.ceil(facts.retryAfterMs / 1_000))));
    if (isSheetsV4(request.url)) {
      void reply.status(facts.status).send(googleErrorOf(facts));
      return;
    }
    const { code, message, field, details } = facts;
    void reply.status(facts.status).send({ code, message, ...(field === undefined ? {} : { field }), ...(details ?? {}) });
  }

  private factsOf(error: unknown, request: FastifyRequest): ErrorFacts {
    if (error instanceof CodedError) return error.facts;
    if (error instanceof HttpException) return this.ofHttpException(error, request);
    if (isRedisFull(error)) {
      return {
        code: 'redis-memory',
        status: 503,
        message: 'Redis is full; a write may or may not have been accepted: ask again later with the same Idempotency-Key',
        retryAfterMs: 5_000,
      };
    }
    if (isRedisUnavailable(error)) {
      return {
        code: 'redis-unavailable',
        status: 503,
        message: 'Redis is not reachable; a write may or may not have been accepted: ask again with the same Idempotency-Key',
        retryAfterMs: 1_000,
      };
    }
    this.logger.error(
      `${request.method} ${request.routeOptions.url} (request ${request.id}): ${(error as Error)?.stack ?? String(error)}`,
    );
    return { code: 'internal-error', status: 500, message: 'the gateway met an error of its own; its log says more' };
  }

  private ofHttpException(error: HttpException, request: FastifyRequest): ErrorFacts {
    const status = error.getStatus();
    const response = error.getResponse() as { message?: string | string[] };
    const listed = Array.isArray(response.message) ? response.message.join('; ') : (response.message ?? error.message);
    const code = CODES[status] ?? 'invalid-request';
    if (status === 404)
      return {
        code,
        status,
        message: `there is no ${request.method} ${request.url.split('?')[0]}; GET /docs lists what there is`,
      };
    if (status === 413)
      return {
        code,
        status,
        field: 'body',
        message: `body: found more than the ${this.bodyBytesMax} bytes that are accepted; send fewer rows at a time`,
      };
    if (status === 400 && /JSON/i.test(listed))
      return { code: 'invalid-json', status, field: 'body', message: `body: expected JSON (${listed})` };
    const field = Array.isArray(response.message) ? /^[\w-]+/.exec(response.message[0] ?? '')?.[0] : undefined;
    return { code: field === undefined ? code : 'invalid-parameter', status, field, message: listed };
  }
}

/** The probes' answer when something is down: terminus throws it, and its body is the report. */
function isHealthReport(error: unknown): error is HttpException {
  if (!(error instanceof HttpException) || error.getStatus() !== 503) return false;
  const response = error.getResponse();
  return typeof response === 'object' && 'status' in response && 'details' in response;
}

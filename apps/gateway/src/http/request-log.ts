/**
 * One line per request: who asked for what, what became of it, and at what price. Never a body, a query, a header's value or a row's
 * key: a line names the route, and of the path only what is no cell (sheet, spreadsheet, write).
 *
 * Costs one hook, and nothing where the line is not to be written.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger as Pino } from 'pino';
import type { RequestLogging } from '../configuration';
import { audienceOf, credentialOf } from './access';

/** What a client may call its request. Anything else gets an id of ours: it would stand in every line, header and trace. */
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** Parameters of routes that are no content of a cell. */
const SHOWN_PARAMETERS = new Set(['sheet', 'spreadsheetId', 'id']);
const PARAMETER_CHARACTERS_MAX = 100;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

export function logRequests(server: FastifyInstance, pino: Pino, logging: RequestLogging): void {
  // Hooks that call back, not async ones: the hot read pays for every promise.
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  if (logging === 'none') return;
  const share = logging === 'all' ? 1 : logging === 'errors' ? 0 : logging;
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : levelOf(request);
    const isChosen = statusCode >= 400 || share === 1 || Math.random() < share;
    if (isChosen && pino.isLevelEnabled(level)) pino[level](describe(request, reply), 'request');
    done();
  });
}

/** Probes and scrapes come every few seconds and tell nothing as long as they succeed. */
function levelOf(request: FastifyRequest): 'info' | 'debug' {
  const route = request.routeOptions.url ?? '';
  return audienceOf(route) === 'probe' || route === '/metrics' ? 'debug' : 'info';
}

function describe(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  const header = (name: string): string | undefined => {
    const value = reply.getHeader(name);
    return value === undefined ? undefined : String(value);
  };
  const consumed = header('x-quota-consumed');
  const degraded = header('x-system-degraded');
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unmatched',
    path: shownPath(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 100) / 100,
    mode: degraded === undefined ? undefined : degraded === 'true' ? 'degraded' : 'direct',
    reason: header('x-degraded-reason'),
    source: header('x-data-source'),
    quotaConsumed: consumed === undefined ? undefined : Number(consumed),
    pendingWrites: header('x-pending-writes'),
    key: credentialOf(request),
  };
}

/** The route with those of its parameters that may be shown. Undefined where no route matched: what stands there may be anything. */
function shownPath({ routeOptions: { url }, params }: FastifyRequest): string | undefined {
  return url?.replace(/:(\w+)/g, (whole, name: string) => {
    const value = (params as Record<string, string | undefined> | undefined)?.[name];
    return SHOWN_PARAMETERS.has(name) && value !== undefined
      ? encodeURIComponent(Buffer.from(value.slice(0, PARAMETER_CHARACTERS_MAX)).toString())
      : whole;
  });
}

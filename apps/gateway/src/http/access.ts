/**
 * Who may come in. One hook before routing's handlers, on the pattern of the matched route, so that it holds for every page, API
 * and unknown path alike and no spelling of a path goes round it.
 *
 *   /health/...          anybody: probes carry no credentials and learn nothing that matters
 *   /, /status..., /metrics, /queues..., /docs..., /operations...
 *                        operators (user and password); open where neither they nor API keys are configured (loopback only).
 *                        A read-only operator may look. What an operator changes is written to the log (audit.ts)
 *   everything else      clients with an API key, where keys are configured
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration';
import { auditOperators } from './audit';
import { isLook, operatorsOf, type Operators } from './operators';
import { googleErrorOf, isSheetsV4 } from '../sheets-v4/google-answer';

const OPERATOR_PATHS = /^\/$|^\/(status|status\.json|metrics|queues|docs|docs-json|docs-yaml|operations)(\/|$)/;
const API_KEY_REQUIRED = {
  code: 'api-key-required',
  message: 'Authorization: expected a known API key, as "Bearer <key>", in X-API-Key, or below /v4 as the parameter key',
};
const OPEN_PATHS = /^\/health\//;

/** `probe`: health; `operator`: status page, board, documents; `client`: everything else. */
export type Audience = 'probe' | 'operator' | 'client';

/** Whom a route is for, by its pattern (or its path, where none matches). */
export function audienceOf(path: string): Audience {
  if (OPEN_PATHS.test(path)) return 'probe';
  return OPERATOR_PATHS.test(path) ? 'operator' : 'client';
}

export function guardAccess(
  server: FastifyInstance,
  configuration: Pick<Configuration, 'apiKeys' | 'operator' | 'operatorReadOnly'>,
): void {
  const keyDigests = configuration.apiKeys.map(digest);
  const operators = operatorsOf(configuration);
  auditOperators(server, operators, (path) => audienceOf(path) === 'operator');

  server.addHook('onRequest', (request, reply, done) => {
    const audience = audienceOf(request.routeOptions.url ?? request.url);
    if (audience === 'probe') return done();
    if (audience === 'operator') return admitOperator(operators, request, reply, done);
    if (keyDigests.length === 0) return done();
    const presented = digest(presentedKey(request));
    // Every key is compared, so that the time taken does not tell which one came close.
    if (keyDigests.filter((known) => timingSafeEqual(known, presented)).length > 0) return done();
    void reply
      .code(401)
      .header('WWW-Authenticate', 'Bearer realm="gateway"')
      .send(isSheetsV4(request.url) ? googleErrorOf({ status: 401, ...API_KEY_REQUIRED }) : API_KEY_REQUIRED);
  });
}

function admitOperator(operators: Operators, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const operator = operators.identify(request.headers.authorization);
  const refuse = (status: number, code: string, message: string): void => void reply.code(status).send({ code, message });
  if (operator === undefined) {
    void reply.header('WWW-Authenticate', 'Basic realm="operators", charset="UTF-8"');
    return refuse(401, 'operator-only', operators.expectation);
  }
  if (isLook(request.method)) return done();
  if (isFromAnotherSite(request))
    return refuse(403, 'cross-site', 'Origin: found a page of another site, expected one of the gateway’s own');
  if (operator.role === 'full') return done();
  refuse(403, 'operator-read-only', `${operator.name} may look and change nothing; sign in as OPERATOR_USER to act`);
}

/** A browser sends an operator's password along with whatever a page of another site asks for; it says from where it asks. */
function isFromAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

function presentedKey(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') return header;
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  // Clients of the Sheets API that sign in with a key send it so. Source: system parameters of Google's APIs.
  const { key } = (isSheetsV4(request.url) ? request.query : {}) as { key?: unknown };
  return typeof key === 'string' ? key : '';
}

/** Equal lengths for the comparison, and no key in memory longer than needed. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Who calls, as an opaque word: scopes idempotency keys. */
export function credentialOf(request: FastifyRequest): string {
  const key = presentedKey(request);
  return key === '' ? 'anonymous' : digest(key).toString('hex').slice(0, 16);
}

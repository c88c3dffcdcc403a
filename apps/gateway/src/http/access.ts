/**
 * Who may come in. One hook before routing's handlers, on the pattern of the matched route, so that it holds for every page, API
 * and unknown path alike and no spelling of a path goes round it.
 *
 *   /health/...          anybody: probes carry no credentials and learn nothing that matters
 *   /, /status..., /metrics, /queues..., /docs...
 *                        operators (user and password); open where neither they nor API keys are configured (loopback only)
 *   everything else      clients with an API key, where keys are configured
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration';
import { googleErrorOf, isSheetsV4 } from '../sheets-v4/google-answer';

const OPERATOR_PATHS = /^\/$|^\/(status|status\.json|metrics|queues|docs|docs-json|docs-yaml)(\/|$)/;
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

export function guardAccess(server: FastifyInstance, { apiKeys, operator }: Pick<Configuration, 'apiKeys' | 'operator'>): void {
  const keyDigests = apiKeys.map(digest);
  const operatorDigest = operator === undefined ? undefined : digest(`${operator.user}:${operator.password}`);

  server.addHook('onRequest', (request, reply, done) => {
    const audience = audienceOf(request.routeOptions.url ?? request.url);
    if (audience === 'probe') return done();
    if (audience === 'operator') {
      if (operatorDigest === undefined && keyDigests.length === 0) return done();
      if (operatorDigest !== undefined && isEqual(digest(basicCredentials(request)), operatorDigest)) return done();
      const message =
        operatorDigest === undefined
          ? 'the operator pages are closed until OPERATOR_USER and OPERATOR_PASSWORD are configured'
          : 'Authorization: expected the operator’s user name and password (Basic)';
      void reply
        .code(401)
        .header('WWW-Authenticate', 'Basic realm="operators", charset="UTF-8"')
        .send({ code: 'operator-only', message });
      return;
    }
    if (keyDigests.length === 0) return done();
    const presented = digest(presentedKey(request));
    // Every key is compared, so that the time taken does not tell which one came close.
    if (keyDigests.filter((known) => isEqual(known, presented)).length > 0) return done();
    void reply
      .code(401)
      .header('WWW-Authenticate', 'Bearer realm="gateway"')
      .send(isSheetsV4(request.url) ? googleErrorOf({ status: 401, ...API_KEY_REQUIRED }) : API_KEY_REQUIRED);
  });
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

function basicCredentials(request: FastifyRequest): string {
  const encoded = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

/** Equal lengths for the comparison, and no key in memory longer than needed. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}

/** Who calls, as an opaque word: scopes idempotency keys. */
export function credentialOf(request: FastifyRequest): string {
  const key = presentedKey(request);
  return key === '' ? 'anonymous' : digest(key).toString('hex').slice(0, 16);
}

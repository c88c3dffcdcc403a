import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { audienceOf } from '../../http/access';
import type { DataSource, HttpAnswer, Telemetry } from './telemetry';

/** Tells every answer of the server. To be called before routes are added: a hook holds for those that come after it. */
export function observeHttp(server: FastifyInstance, telemetry: Telemetry): void {
  server.addHook('onResponse', (request, reply, done) => {
    telemetry.httpAnswer(describe(request, reply));
    done();
  });
}

function describe(request: FastifyRequest, reply: FastifyReply): HttpAnswer {
  const route = request.routeOptions.url;
  const degraded = reply.getHeader('x-system-degraded') === 'true';
  const reason = degraded ? String(reply.getHeader('x-degraded-reason')) : undefined;
  const age = reply.getHeader('age');
  return {
    route: route ?? 'unmatched',
    method: request.method,
    status: reply.statusCode,
    degraded,
    reason,
    source: sourceOf(reply.getHeader('x-data-source'), reason),
    audience: audienceOf(route ?? request.url),
    durationMs: reply.elapsedTime,
    ...(age === undefined ? {} : { ageSeconds: Number(age) }),
  };
}

/** A read without Redis says `snapshot` too: it is one, as this process remembers it. */
function sourceOf(header: unknown, reason: string | undefined): DataSource {
  if (header === 'upstream') return 'upstream';
  if (header === undefined) return 'none';
  return reason === 'redis-unavailable' ? 'memory' : 'snapshot';
}

/**
 * One line per action of an operator, whichever page or command it came from: who, what, on which job or write, and what came of
 * it. Refused ones too. Looking is no action.
 */
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLook, type Operators } from './operators';

const logger = new Logger('audit');

export function auditOperators(server: FastifyInstance, operators: Operators, isOperators: (path: string) => boolean): void {
  server.addHook('onResponse', (request, reply, done) => {
    done();
    const { url = request.url } = request.routeOptions;
    if (isLook(request.method) || !isOperators(url)) return;
    const who = operators.identify(request.headers.authorization)?.name ?? 'unknown';
    const what = `${request.method} ${url}`;
    logger.log(`operator ${JSON.stringify(who)}: ${what}${subjectOf(request)}: ${reply.statusCode}`);
  });
}

/** Of parameters and bodies, what says on what it was done; both were checked, or come to nothing. */
const SUBJECTS = ['queueName', 'jobId', 'queueStatus', 'id', 'spreadsheetId', 'sheet', 'quota', 'calls'];

/** A longer value is no name of ours. */
const SUBJECT_CHARACTERS_MAX = 200;

function subjectOf({ params, body }: FastifyRequest): string {
  const given = { ...(typeof body === 'object' ? body : {}), ...(typeof params === 'object' ? params : {}) } as Record<
    string,
    unknown
  >;
  return SUBJECTS.filter((name) => ['string', 'boolean', 'number'].includes(typeof given[name]))
    .map((name) => ` ${name}=${JSON.stringify(given[name]).slice(0, SUBJECT_CHARACTERS_MAX)}`)
    .join('');
}

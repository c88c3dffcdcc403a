import { renderAnswer, userAgentOf } from '@app/workbook';
import { All, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGate, type Caller } from '../access/access-gate';
import { CallFlow, type Outcome } from './call-flow';

/** Sent by whoever edits the spreadsheet by hand: no place, no log entry, no latency, no fault. */
const UNCOUNTED_HEADER = 'x-mock-uncounted';

/** Of the real service; the body of an answer depends on these request headers. */
const HEADERS = {
  vary: 'Origin, X-Origin, Referer',
  server: 'ESF',
  'x-xss-protection': '0',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private',
};

/** Everything below /v4, told apart by route.ts: ranges may hold any character, so the raw path decides. */
@Controller()
export class V4Controller {
  constructor(
    private readonly flow: CallFlow,
    private readonly access: AccessGate,
  ) {}

  @All('v4/*')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const raw = request.raw.url ?? '/';
    const mark = raw.indexOf('?');
    const query = new URLSearchParams(mark < 0 ? '' : raw.slice(mark + 1));
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const outcome = await this.flow.handle({
      method: request.method,
      rawPath: mark < 0 ? raw : raw.slice(0, mark),
      query,
      bodyText: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
      caller: this.callerOf(request, query),
      uncounted: request.headers[UNCOUNTED_HEADER] !== undefined,
      gone: gone.signal,
    });
    await answer(request, reply, outcome, query);
  }

  /** Whose quota a call uses: the one of its token, else of its key; all others together are one more user. */
  private callerOf(request: FastifyRequest, query: URLSearchParams): Caller {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('access_token');
    if (token) return this.access.callerOf(token);
    const quotaUser = query.get('quotaUser') ?? request.headers['x-goog-quota-user'];
    const key = query.get('key') ?? request.headers['x-goog-api-key'];
    return { user: key ? `key ${String(key)} ${String(quotaUser ?? '')}` : 'anonymous' };
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply, outcome: Outcome, query: URLSearchParams): Promise<void> {
  if (outcome.kind === 'cut') {
    reply.hijack();
    reply.raw.destroy();
    return;
  }
  if (outcome.kind === 'html') {
    await reply.status(outcome.status).header('content-type', 'text/html; charset=UTF-8').send(outcome.html);
    return;
  }
  const asked = { query, isGet: request.method === 'GET', userAgent: userAgentOf(request.headers) };
  const { status, contentType, text } = renderAnswer(outcome, asked);
  await reply.status(status).headers(HEADERS).header('content-type', contentType).send(text);
}

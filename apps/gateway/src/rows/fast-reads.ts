/**
 * Answers the hot read before Nest's pipeline: a page or a row of a sheet that this process knows, while the direct call is known to be
 * refused. Everything else goes the long way, which answers all of it too; the two differ only in what they cost.
 *
 *   access hook ─ fast read ─┬─ refused by memory, tab known, plain query ─ what has changed? (one shared trip) ─ answer
 *                            └─ else ─ Nest: interceptor, pipe, controller, RowsService
 *
 * Not answered here: direct mode (the process remembers no refusal), HEAD, a query that needs explaining, an unknown tab or row.
 * So every error has one origin. Hooks that are to see these reads have to be registered before this one.
 */
import type { QuotaInterceptor, QuotaLedger } from '@app/quota';
import { markAnswer } from '@app/quota';
import type { ReadAnswer, SheetReader } from '@app/sheet-view';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownToClient, pageBody, partOfKey, partOfPage, readHeaders, type Page } from './read-answer';
import { LIMIT_MAX, OFFSET_MAX } from './rows-query.dto';

const LISTS = ['/sheets/:sheet/rows', '/spreadsheets/:spreadsheetId/sheets/:sheet/rows'];
const ROUTES: ReadonlyMap<string, 'page' | 'row'> = new Map(
  LISTS.flatMap((path) => [[path, 'page'] as const, [`${path}/:key`, 'row'] as const]),
);

/** Numbers as every client writes them. Others, such as `1e3`, are the pipe's to judge. */
const PLAIN_NUMBER = /^(0|[1-9]\d{0,7})$/;

export interface FastReadParts {
  readonly reader: Pick<SheetReader, 'readRefused'>;
  readonly ledger: Pick<QuotaLedger, 'isKnownRefused'>;
  readonly quota: Pick<QuotaInterceptor, 'headersNow' | 'headersFor'>;
  readonly spreadsheetId: string;
}

type Params = Readonly<Partial<Record<'spreadsheetId' | 'sheet' | 'key', string>>>;

export function answerFastReads(server: FastifyInstance, parts: FastReadParts): void {
  const { reader, ledger } = parts;
  server.addHook('onRequest', (request, reply, done) => {
    const route = request.method === 'GET' ? ROUTES.get(request.routeOptions.url ?? '') : undefined;
    if (route === undefined || !ledger.isKnownRefused('direct', 'read')) return done();
    const params = request.params as Params;
    const wanted = route === 'row' ? (params.key as string) : readPage(request.query as Record<string, unknown>);
    const reading =
      wanted === undefined ? undefined : reader.readRefused(params.spreadsheetId ?? parts.spreadsheetId, params.sheet as string);
    if (wanted === undefined || reading === undefined) return done();
    const longWay = (): void => (reply.sent ? undefined : done());
    send(parts, reading, wanted, request, reply).then((sent) => (sent ? undefined : longWay()), longWay);
  });
}

/** @returns false where there is nothing to answer with: nothing has been sent then. */
async function send(
  { quota }: FastReadParts,
  reading: Promise<ReadAnswer | undefined>,
  wanted: Page | string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const answer = await reading;
  if (answer === undefined) return false;
  const part = typeof wanted === 'string' ? partOfKey(wanted) : partOfPage(wanted);
  // Before anything is waited for: the next write changes the view in place.
  const body = typeof wanted === 'string' ? rowBody(answer, wanted) : pageBody(answer, wanted);
  if (body === undefined) return false;
  const said = { degraded: true, reason: answer.degraded };
  let quotaHeaders = quota.headersNow(said);
  if (quotaHeaders === undefined) {
    markAnswer(request, said);
    quotaHeaders = await quota.headersFor(request);
  }
  const known = isKnownToClient(request.headers['if-none-match'], answer, part);
  void reply
    .code(known ? 304 : 200)
    .headers(readHeaders(answer, part))
    .headers(quotaHeaders)
    .send(known ? '' : body);
  return true;
}

function rowBody({ view }: ReadAnswer, key: string): string | undefined {
  return view.keyColumn === undefined ? undefined : view.rowJson(key);
}

/** The page that a query asks for in plain words, or undefined. */
function readPage(query: Readonly<Record<string, unknown>>): Page | undefined {
  let offset = 0;
  let limit: number | undefined;
  for (const name in query) {
    const value = query[name];
    if (typeof value !== 'string' || !PLAIN_NUMBER.test(value)) return undefined;
    if (name === 'offset') offset = Number(value);
    else if (name === 'limit') limit = Number(value);
    else return undefined;
  }
  return offset > OFFSET_MAX || limit === 0 || (limit ?? 1) > LIMIT_MAX ? undefined : { offset, limit };
}

import { SheetView, type ReadAnswer } from '@app/sheet-view';
import fastify, { type FastifyInstance } from 'fastify';
import { answerFastReads, type FastReadParts } from './fast-reads';

const view = new SheetView(
  { sheetId: 1, title: 'rows', index: 0, rowCount: 9, columnCount: 2, cells: [['id', 'n'], ['k', 1], ['l', 2]] }, // prettier-ignore
  'id',
);
const answer: ReadAnswer = {
  view,
  version: '7-a',
  ageMs: 12_345,
  pendingWrites: 3,
  tab: { sheetId: 1, title: 'rows', index: 0 },
  source: 'snapshot',
  degraded: 'quota',
};

/** What stands behind the hook says `long way`, so an answer tells which way it took. */
async function serverWith(changed: Partial<FastReadParts> = {}): Promise<FastifyInstance> {
  const server = fastify();
  answerFastReads(server, {
    ledger: { isKnownRefused: () => true },
    reader: { readRefused: (_spreadsheetId, title) => (title === 'rows' ? Promise.resolve(answer) : undefined) },
    quota: { headersNow: () => ({ 'X-System-Degraded': 'true' }), headersFor: () => Promise.resolve({}) },
    spreadsheetId: 's',
    ...changed,
  });
  for (const url of ['/sheets/:sheet/rows', '/sheets/:sheet/rows/:key', '/other/:sheet/rows']) server.get(url, () => 'long way');
  await server.ready();
  return server;
}

describe('a read ahead of the pipeline', () => {
  it.each([
    ['/sheets/rows/rows', '{"rows":[{"id":"k","n":1},{"id":"l","n":2}],"total":2,"offset":0}'],
    ['/sheets/rows/rows?limit=1&offset=1', '{"rows":[{"id":"l","n":2}],"total":2,"offset":1}'],
    ['/sheets/rows/rows/k', '{"id":"k","n":1}'],
  ])('%s', async (url, body) => {
    const response = await (await serverWith()).inject({ url });
    expect(response.body).toBe(body);
    expect(response.headers).toMatchObject({ age: '12', 'x-pending-writes': '3', 'x-data-source': 'snapshot' });
    expect(response.headers).toMatchObject({ 'x-system-degraded': 'true', 'content-type': 'application/json; charset=utf-8' });
  });

  it.each([
    '/other/rows/rows',
    '/sheets/nope/rows',
    '/sheets/rows/rows/unknown',
    '/sheets/rows/rows?limit=0',
    '/sheets/rows/rows?limit=100001',
    '/sheets/rows/rows?limit=01',
    '/sheets/rows/rows?limit=1&limit=2',
    '/sheets/rows/rows?offset=99999999',
    '/sheets/rows/rows?page=1',
  ])('leaves %s to the long way', async (url) => {
    expect((await (await serverWith()).inject({ url })).body).toBe('long way');
  });

  it('leaves HEAD to the long way', async () => {
    const response = await (await serverWith()).inject({ method: 'HEAD', url: '/sheets/rows/rows' });
    expect(response.headers['x-data-source']).toBeUndefined();
  });

  it('is not made while the direct call may be granted: the view alone is no answer in direct mode', async () => {
    const server = await serverWith({ ledger: { isKnownRefused: () => false } });
    expect((await server.inject({ url: '/sheets/rows/rows' })).body).toBe('long way');
  });

  it.each([
    ['there is no snapshot', () => Promise.resolve(undefined)],
    ['reading fails', () => Promise.reject(new Error('no'))],
  ])('goes the long way where %s', async (_case, readRefused) => {
    const server = await serverWith({ reader: { readRefused } });
    expect((await server.inject({ url: '/sheets/rows/rows' })).body).toBe('long way');
  });

  it('waits for the quota’s headers where they are not fresh', async () => {
    const quota = { headersNow: () => undefined, headersFor: () => Promise.resolve({ 'X-Quota-Consumed': '151' }) };
    const response = await (await serverWith({ quota })).inject({ url: '/sheets/rows/rows' });
    expect(response.headers['x-quota-consumed']).toBe('151');
  });

  it('does not get past a hook before it', async () => {
    const server = fastify();
    server.addHook('onRequest', (_request, reply) => void reply.code(401).send('who are you'));
    answerFastReads(server, {
      ledger: { isKnownRefused: () => true },
      reader: { readRefused: () => Promise.resolve(answer) },
      quota: { headersNow: () => ({}), headersFor: () => Promise.resolve({}) },
      spreadsheetId: 's',
    });
    server.get('/sheets/:sheet/rows', () => 'long way');
    expect((await server.inject({ url: '/sheets/rows/rows' })).statusCode).toBe(401);
  });
});

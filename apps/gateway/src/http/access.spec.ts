import { FastifyAdapter as BoardAdapter } from '@bull-board/fastify';
import { createBullBoard } from '@bull-board/api';
import fastify, { type FastifyInstance } from 'fastify';
import { credentialOf, guardAccess } from './access';

const KEYS = ['first-key-0123456789', 'second-key-0123456789'];
const OPERATOR = { user: 'ops', password: 'pass:word ü' };
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('access', () => {
  const servers: FastifyInstance[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  /** A server with the routes that the gateway has, the board as it is, and each answering who it takes the caller for. */
  async function serve(configured: Parameters<typeof guardAccess>[1]): Promise<FastifyInstance> {
    const server = fastify();
    servers.push(server);
    guardAccess(server, configured);
    for (const path of ['/health/live', '/health/ready', '/sheets/:sheet/rows', '/writes/:id', '/docs', '/docs-json'])
      server.get(path, async (request) => ({ credential: credentialOf(request) }));
    const board = new BoardAdapter();
    board.setBasePath('/queues');
    createBullBoard({ queues: [], serverAdapter: board });
    await server.register(board.registerPlugin(), { prefix: '/queues' });
    await server.ready();
    return server;
  }
  const status = async (
    server: FastifyInstance,
    url: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<number> => (await server.inject({ url, headers, method: method as 'GET' })).statusCode;

  const OPERATOR_PAGES = ['/queues', '/queues/', '/queues/api/queues', '/docs', '/docs-json'];
  const CLIENT_PAGES = ['/sheets/orders/rows', '/writes/x'];
  const PROBES = ['/health/live', '/health/ready'];

  describe('with keys and an operator', () => {
    let server: FastifyInstance;
    beforeAll(async () => (server = await serve({ apiKeys: KEYS, operator: OPERATOR })));

    it.each(PROBES)('%s is open, since probes carry no credentials', async (url) => {
      expect(await status(server, url)).toBe(200);
    });

    it.each(CLIENT_PAGES)('%s wants one of the keys', async (url) => {
      expect(await status(server, url)).toBe(401);
      for (const key of KEYS) {
        expect(await status(server, url, { authorization: `Bearer ${key}` })).toBe(200);
        expect(await status(server, url, { authorization: `bearer ${key}` })).toBe(200);
        expect(await status(server, url, { 'x-api-key': key })).toBe(200);
      }
      const [key] = KEYS;
      const wrong = ['', ' ', key.slice(0, -1), `${key}x`, key.toUpperCase(), KEYS.join(','), `${key} ${key}`];
      for (const presented of wrong) {
        expect(await status(server, url, { authorization: `Bearer ${presented}` })).toBe(401);
        expect(await status(server, url, { 'x-api-key': presented })).toBe(401);
      }
      expect(await status(server, url, { authorization: basic(OPERATOR.user, OPERATOR.password) })).toBe(401);
      expect(await status(server, url, { authorization: key })).toBe(401);
      expect(await status(server, `${url}?key=${key}`)).toBe(401);
    });

    it.each(OPERATOR_PAGES)('%s wants the operator, and takes no client’s key', async (url) => {
      expect(await status(server, url)).toBe(401);
      expect(await status(server, url, { authorization: `Bearer ${KEYS[0]}` })).toBe(401);
      expect(await status(server, url, { 'x-api-key': KEYS[0] })).toBe(401);
      expect(await status(server, url, { authorization: basic('ops', 'wrong') })).toBe(401);
      expect(await status(server, url, { authorization: basic('other', OPERATOR.password) })).toBe(401);
      expect(await status(server, url, { authorization: 'Basic ' })).toBe(401);
      expect(await status(server, url, { authorization: 'Basic !!!' })).toBe(401);
      expect(await status(server, url, { authorization: basic(OPERATOR.user, OPERATOR.password) })).not.toBe(401);
    });

    it('the board’s API answers the operator, so that the refusals above were the guard’s', async () => {
      const headers = { authorization: basic(OPERATOR.user, OPERATOR.password) };
      expect(await status(server, '/queues/api/queues', headers)).toBe(200);
    });

    it.each([
      ['PUT', '/queues/api/queues/writes/1/retry'],
      ['PUT', '/queues/api/queues/writes/1/clean'],
      ['PUT', '/queues/api/queues/writes/pause'],
      ['POST', '/queues/api/queues/writes/add'],
      ['GET', '/queues/static/js/anything.js'],
      ['GET', '/queues/../queues/api/queues'],
      ['GET', '/queues/api/nothing-here'],
      ['GET', '/queues//api/queues'],
      ['GET', '/queues%2Fapi/queues'],
      ['GET', '/%71ueues/api/queues'],
      ['HEAD', '/queues/api/queues'],
    ])('%s %s goes round nothing', async (method, url) => {
      expect(await status(server, url, {}, method)).toBe(401);
    });

    it('an unknown path is not open either, nor one that only looks like a probe’s', async () => {
      for (const url of ['/', '/nothing', '/healthy', '/health', '/docsx', '/queuesx', '/HEALTH/live', '/x/health/live'])
        expect(await status(server, url)).toBe(401);
    });

    it('a refusal says what is expected, and how to ask a person for it', async () => {
      const client = await server.inject({ url: '/writes/x' });
      expect(client.headers['www-authenticate']).toMatch(/^Bearer /);
      expect(client.json()).toMatchObject({ code: 'api-key-required' });
      const operator = await server.inject({ url: '/queues' });
      expect(operator.headers['www-authenticate']).toMatch(/^Basic /);
      expect(operator.json()).toMatchObject({ code: 'operator-only' });
    });
  });

  describe('with keys and no operator', () => {
    it('the operators’ pages are closed to everybody, so that a forgotten password opens nothing', async () => {
      const server = await serve({ apiKeys: KEYS });
      for (const url of OPERATOR_PAGES) {
        for (const authorization of ['', `Bearer ${KEYS[0]}`, basic('', ''), basic('undefined', 'undefined')])
          expect(await status(server, url, { authorization })).toBe(401);
      }
      expect(await status(server, CLIENT_PAGES[0], { 'x-api-key': KEYS[0] })).toBe(200);
    });
  });

  describe('with an operator and no keys', () => {
    it('clients come in, and operators’ pages stay theirs', async () => {
      const server = await serve({ apiKeys: [], operator: OPERATOR });
      for (const url of CLIENT_PAGES) expect(await status(server, url)).toBe(200);
      for (const url of OPERATOR_PAGES) expect(await status(server, url)).toBe(401);
    });
  });

  describe('with neither', () => {
    it('all is open, for a gateway that only listens on its own machine', async () => {
      const server = await serve({ apiKeys: [] });
      for (const url of [...PROBES, ...CLIENT_PAGES, '/queues/api/queues']) expect(await status(server, url)).toBe(200);
    });
  });

  describe('who calls', () => {
    it('is the same word for the same key, however it is presented, another for another, and never the key', async () => {
      const server = await serve({ apiKeys: KEYS });
      const credential = async (headers: Record<string, string>): Promise<string> =>
        (await server.inject({ url: '/writes/x', headers })).json<{ credential: string }>().credential;
      const first = await credential({ authorization: `Bearer ${KEYS[0]}` });
      expect(await credential({ 'x-api-key': KEYS[0] })).toBe(first);
      expect(await credential({ 'x-api-key': KEYS[1] })).not.toBe(first);
      expect(first).toMatch(/^[0-9a-f]{16}$/);
    });
  });
});

import fastify, { type FastifyInstance } from 'fastify';
import { GatewayLogger, type LoggerSettings } from './gateway-logger';
import { logRequests, requestIdOf } from './request-log';
import type { RequestLogging } from '../configuration';

const API_KEY = 'a-key-that-nobody-may-read';
const SETTINGS: LoggerSettings = {
  logLevel: 'log',
  logFormat: 'json',
  apiKeys: [API_KEY],
  operator: { user: 'ops', password: 'pass-of-the-operator' },
  redisUrl: 'redis://:pass-of-redis@127.0.0.1:6379',
};

type Line = Record<string, unknown>;

describe('the log', () => {
  const servers: FastifyInstance[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function serve(logging: RequestLogging): Promise<{ server: FastifyInstance; text: () => string; lines: () => Line[] }> {
    let text = '';
    const logger = new GatewayLogger(SETTINGS, { write: (line) => void (text += line) });
    const server = fastify({ genReqId: requestIdOf });
    servers.push(server);
    logRequests(server, logger.pino, logging);
    server.route({
      method: ['GET', 'PATCH'],
      url: '/sheets/:sheet/rows/:key',
      handler: async (_request, reply) => {
        void reply.header('X-Quota-Consumed', '151').header('X-System-Degraded', 'true').header('X-Data-Source', 'snapshot');
        return { id: 'cell-in-answer' };
      },
    });
    server.get('/fails', async (_request, reply) => reply.code(500).send('no'));
    server.get('/health/live', async () => 'ok');
    await server.ready();
    return {
      server,
      text: () => text,
      lines: () =>
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Line),
    };
  }
  it('has one line per request, with what an operator asks for', async () => {
    const { server, lines } = await serve('all');
    await server.inject({ url: '/sheets/orders/rows/K?limit=1', headers: { 'X-Request-Id': 'client-id:7' } });
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      level: 'info',
      requestId: 'client-id:7',
      method: 'GET',
      route: '/sheets/:sheet/rows/:key',
      path: '/sheets/orders/rows/:key',
      status: 200,
      mode: 'degraded',
      source: 'snapshot',
      quotaConsumed: 151,
      key: 'anonymous',
    });
    expect(lines()[0]?.['durationMs']).toBeGreaterThanOrEqual(0);
  });

  it('shows no cell, key, query, body, header or credential, wherever a request carries one', async () => {
    const { server, text } = await serve('all');
    const secret = (where: string): string => `distinctive-${where}`;
    await server.inject({
      method: 'PATCH',
      url: `/sheets/orders/rows/${secret('key')}?token=${secret('query')}`,
      headers: { 'X-API-Key': API_KEY, Cookie: secret('cookie'), 'Idempotency-Key': secret('idempotency') },
      payload: { item: secret('cell') },
    });
    await server.inject({ url: `/sheets/${secret('unmatched')}/nowhere`, headers: { Authorization: `Bearer ${API_KEY}` } });
    expect(text().split('\n').filter(Boolean)).toHaveLength(2);
    expect(text()).not.toMatch(/distinctive|cell-in-answer|a-key-that/);
  });

  it('takes no request id that could begin a line or fill the log, and always answers with one', async () => {
    const { server, lines } = await serve('all');
    for (const given of ['x'.repeat(65), 'a b', '{"level":"fatal"}']) {
      const { headers } = await server.inject({ url: '/health/live', headers: { 'X-Request-Id': given } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await server.inject({ url: '/fails', headers: { 'X-Request-Id': 'mine' } })).headers['x-request-id']).toBe('mine');
    // Probes that succeed are told from the level debug on.
    expect(lines().map(({ level, requestId }) => [level, requestId])).toEqual([['error', 'mine']]);
  });

  it.each<[RequestLogging, number]>([
    ['all', 3],
    ['errors', 1],
    [0, 1],
    ['none', 0],
  ])('LOG_REQUESTS=%s writes %d lines of two that succeed and one that fails', async (logging, expected) => {
    const { server, lines } = await serve(logging);
    for (const url of ['/sheets/orders/rows/a', '/sheets/orders/rows/b', '/fails']) await server.inject(url);
    expect(lines()).toHaveLength(expected);
  });

  it('keeps text from outside in one line, and strikes out what is or looks like a credential', () => {
    let text = '';
    const logger = new GatewayLogger(SETTINGS, { write: (line) => void (text += line) });
    logger.warn('before\n{"level":"fatal"}\u001b[31m red', 'context-of-it');
    logger.error(
      `upstream said: Authorization: Bearer ya29.abcdefgh, ${API_KEY}, pass-of-the-operator, redis://u:pass-of-redis@host`,
      'Error: at x (Bearer abcdefghij)',
      'http',
    );
    logger.log('not of interest', 'RouterExplorer');
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).toContain('"context":"context-of-it"');
    expect(text).not.toMatch(/ya29|a-key-that|pass-of|abcdefgh/);
    expect((JSON.parse(text.split('\n')[0]) as Line)['msg']).not.toContain('\u001b');
  });
});

import fastify, { type FastifyInstance } from 'fastify';
import { observeHttp, Telemetry, type HttpAnswer } from '.';

describe('telemetry', () => {
  let server: FastifyInstance;
  let seen: HttpAnswer[];
  const telemetry = new Telemetry();

  beforeAll(async () => {
    server = fastify();
    observeHttp(server, telemetry);
    server.get('/sheets/:sheet/rows', async (request, reply) => {
      const { source, reason } = request.query as Record<string, string>;
      void reply.header('X-Data-Source', source).header('X-System-Degraded', String(reason !== undefined));
      if (reason !== undefined) void reply.header('X-Degraded-Reason', reason);
      return [];
    });
    server.get('/health/live', async () => 'ok');
    await server.ready();
  });
  afterAll(() => server.close());
  beforeEach(() => (seen = []));

  it('tells of each answer the route, never the path, and where the data came from', async () => {
    const unsubscribe = telemetry.subscribe({ httpAnswer: (answer) => void seen.push(answer) });
    for (const url of [
      '/sheets/secret-title/rows?source=upstream',
      '/sheets/secret-title/rows?source=snapshot&reason=quota',
      '/sheets/secret-title/rows?source=snapshot&reason=redis-unavailable',
      '/health/live',
      '/nothing-here',
    ])
      await server.inject(url);
    unsubscribe();
    await server.inject('/health/live');
    expect(seen.map(({ route, status, degraded, source, audience }) => [route, status, degraded, source, audience])).toEqual([
      ['/sheets/:sheet/rows', 200, false, 'upstream', 'client'],
      ['/sheets/:sheet/rows', 200, true, 'snapshot', 'client'],
      ['/sheets/:sheet/rows', 200, true, 'memory', 'client'],
      ['/health/live', 200, false, 'none', 'probe'],
      ['unmatched', 404, false, 'none', 'client'],
    ]);
    expect(JSON.stringify(seen)).not.toContain('secret-title');
  });

  it('a subscriber that throws reaches neither the request nor the other subscribers', async () => {
    const ends = [
      telemetry.subscribe({
        httpAnswer: () => {
          throw new Error('a subscriber of this test');
        },
      }),
      telemetry.subscribe({ httpAnswer: (answer) => void seen.push(answer) }),
    ];
    expect((await server.inject('/health/live')).statusCode).toBe(200);
    expect(seen).toHaveLength(1);
    ends.forEach((end) => end());
  });
});

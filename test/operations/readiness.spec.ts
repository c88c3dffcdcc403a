import { connect, createServer, type Server, type Socket } from 'node:net';
import { startApp, startPrivateRedis, type App, type PrivateRedis } from '@app/local-stack';
import { connectRedis, monotonicMs, waitFor } from '@app/platform';
import type { Redis } from 'ioredis';
import { Client } from '../support/client';

/** Before Redis: passes all on, and can keep from workers what they block for, so that they wait for ever on a connection that is up. */
class DeafWorkers {
  deaf = false;
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async before(port: number): Promise<DeafWorkers> {
    const server = createServer();
    const proxy = new DeafWorkers(server);
    server.on('connection', (client) => {
      const redis = connect(port, '127.0.0.1');
      let blocks = false;
      client.on('data', (data) => {
        blocks ||= /BZPOPMIN/i.test(data.toString('latin1'));
        redis.write(data);
      });
      redis.on('data', (data) => {
        if (!(proxy.deaf && blocks)) client.write(data);
      });
      for (const [socket, other] of [
        [client, redis],
        [redis, client],
      ]) {
        proxy.sockets.add(socket);
        socket.on('close', () => other.destroy());
        socket.on('error', () => undefined);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** Lets the workers hear again: their connections end, and BullMQ makes new ones. */
  hear(): void {
    this.deaf = false;
    this.sockets.forEach((socket) => void socket.destroy());
  }

  stop(): void {
    this.server.close();
    this.sockets.forEach((socket) => void socket.destroy());
  }
}

describe('readiness cannot be fooled', () => {
  let redis: PrivateRedis;
  let operator: Redis;
  let workers: DeafWorkers;
  let mock: App;
  const apps: Record<'all' | 'api' | 'drain', App> = {} as never;

  beforeAll(async () => {
    redis = await startPrivateRedis();
    operator = connectRedis(redis.url, 'worker');
    workers = await DeafWorkers.before(redis.port);
    mock = await startApp({ name: 'sheets-mock', env: { MOCK_LATENCY_MS: '1' } });
    const env = { UPSTREAM_BASE_URL: mock.baseUrl, UPSTREAM_TIMEOUT_MS: '1000' };
    const start = async (role: keyof typeof apps, url: string): Promise<App> =>
      await startApp({ name: 'gateway', env: { ...env, ROLE: role, REDIS_URL: url } });
    [apps.all, apps.api, apps.drain] = await Promise.all([
      start('all', redis.url),
      start('api', redis.url),
      start('drain', workers.url),
    ]);
  }, 90_000);
  afterAll(async () => {
    await Promise.all(Object.values(apps).map((app) => app.stop()));
    workers?.stop();
    await mock?.stop();
    operator?.disconnect();
    await redis?.stop();
  });

  const probe = async (role: keyof typeof apps, path = '/health/ready'): ReturnType<Client['get']> =>
    await new Client(apps[role].baseUrl).get(path);
  const until = async (role: keyof typeof apps, status: number, timeoutMs: number): Promise<void> => {
    const answers = async (): Promise<boolean> => (await probe(role)).status === status;
    await waitFor(`${role} to answer ${status}`, answers, { timeoutMs, everyMs: 250 });
  };

  /** Readiness turns red by what `make` does, names it, and turns green again by itself; liveness stays green, and no process ends. */
  async function turnsRed(
    check: string,
    message: RegExp,
    { make, undo }: { make: () => Promise<unknown>; undo: () => Promise<unknown> },
  ): Promise<void> {
    await make();
    try {
      for (const role of ['all', 'api', 'drain'] as const) {
        await until(role, 503, 5_000);
        expect((await probe(role)).body.error[check].message).toMatch(message);
        expect((await probe(role, '/health/live')).status).toBe(200);
      }
    } finally {
      await undo();
    }
    for (const role of ['all', 'api', 'drain'] as const) await until(role, 200, 10_000);
    expect(Object.values(apps).map((app) => app.ending())).toEqual([undefined, undefined, undefined]);
  }

  it('a Redis that refuses writes turns every role red, though it answers PING', async () => {
    await turnsRed('redis', /NOREPLICAS/, {
      make: async () => await operator.config('SET', 'min-replicas-to-write', '1'),
      undo: async () => await operator.config('SET', 'min-replicas-to-write', '0'),
    });
    expect(await operator.ping()).toBe('PONG');
  });

  it('a Redis that became a replica turns every role red', async () => {
    await turnsRed('redis', /READONLY/, {
      make: async () => await operator.replicaof('127.0.0.1', '1'),
      undo: async () => await operator.replicaof('NO', 'ONE'),
    });
  });

  it('Redis memory at the share where accepts stop turns every role red, before a write fails', async () => {
    const used = Number(/^used_memory:(\d+)/m.exec(await operator.info('memory'))?.[1]);
    await turnsRed('redisMemory', /^8\d % of maxmemory is used/, {
      make: async () => await operator.config('SET', 'maxmemory', String(Math.round(used / 0.85))),
      undo: async () => await operator.config('SET', 'maxmemory', '0'),
    });
  });

  it('a worker that silently stopped taking jobs turns its process red in the stated time, and no other', async () => {
    expect((await probe('api')).body.details.drain).toEqual({ status: 'up', role: 'api' });
    workers.deaf = true;
    await until('drain', 503, 30_000);
    const { drain, redis: written } = (await probe('drain')).body.details as Record<string, { status: string; message: string }>;
    expect(written.status).toBe('up');
    const [, silentSeconds] =
      /^the worker has taken no job for (\d+) s, though one was offered every 2 s$/.exec(drain.message) ?? [];
    // Not before the stated time, which counts from the last job that it took.
    expect(Number(silentSeconds)).toBeGreaterThanOrEqual(10);
    expect((await probe('drain', '/health/live')).status).toBe(200);
    expect((await probe('all')).status).toBe(200);
    workers.hear();
    await until('drain', 200, 20_000);
  });

  it('a storm of probes costs one look a second', async () => {
    await operator.config('RESETSTAT');
    const began = monotonicMs();
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 40 }, async () => await probe('api')));
    const seconds = (monotonicMs() - began) / 1_000;
    const stats = await operator.info('commandstats');
    const looks = Number(/cmdstat_info:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    // Of three processes, of which only one is asked; the last of these is this test's own question.
    expect(looks).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
  });
});

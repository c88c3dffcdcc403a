import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { commandOf, startPrivateRedis, type Environment } from '@app/local-stack';
import { closeRedis, connectRedis, waitFor, waitUntilReady } from '@app/platform';
import { expectGone, LaunchBench, pidsOf, type Launched } from './launched';

const LAUNCHER = [process.execPath, join(__dirname, 'stand-ins/launch.mjs')];

describe('the launcher, with stand-ins for gateway and mock', () => {
  let bench: LaunchBench;
  const launch = (more?: Environment): Launched => bench.start(LAUNCHER, more);
  const endings = (): string => readFileSync(join(bench.directory, 'endings'), 'utf8');
  beforeEach(async () => {
    bench = new LaunchBench();
    await bench.open();
  });
  afterEach(async () => await bench.close());

  it('says what runs where, and hands Redis and the mock to the gateway', async () => {
    const launched = launch();
    const { gateway, mock, redis } = await launched.places();
    expect(gateway.url).toBe(`http://127.0.0.1:${bench.ports.gateway}`);
    expect(mock.url).toBe(`http://127.0.0.1:${bench.ports.mock}`);
    expect(launched.out()).toContain(`[gateway] given REDIS_URL=${redis.url} UPSTREAM_BASE_URL=${mock.url} ROLE=all`);
    expect(launched.out()).toContain('[mock] mock listens');
    expect(launched.out()).toContain(`curl -i ${gateway.url}/health/ready`);
    for (const url of [gateway.url, mock.url]) expect((await fetch(url)).status).toBe(200);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends all of it on %s, the gateway first, with exit code 0',
    async (signal) => {
      const launched = launch();
      const places = await launched.places();
      launched.signal(signal);
      expect(await launched.ended).toMatchObject({ code: 0, errors: '' });
      await expectGone(pidsOf(places));
      expect(endings()).toBe('gateway\nmock\n');
    },
  );

  it('ends all of it on a signal that comes before everything runs', async () => {
    const launched = launch({ GATEWAY_STAND_IN: 'never ready' });
    await waitFor('the mock', () => launched.out().includes('mock listens'));
    launched.signal('SIGINT');
    expect(await launched.ended).toMatchObject({ code: 0, errors: '' });
    expect(existsSync(join(bench.directory, 'data/npm-start.json'))).toBe(false);
  });

  it('ends all of it when npm is killed, whose shell does not hand the signal on', async () => {
    const npm = bench.start(['sh', '-c', '"$0" "$1"; true', ...LAUNCHER], { npm_lifecycle_event: 'start' });
    const places = await npm.places();
    npm.signal('SIGTERM');
    await expectGone(pidsOf(places));
    expect(endings()).toBe('gateway\nmock\n');
  });

  it('does not wait for ever for a gateway that does not end', async () => {
    const launched = launch({ GATEWAY_STAND_IN: 'deaf' });
    const places = await launched.places();
    launched.signal('SIGTERM');
    expect((await launched.ended).code).toBe(0);
    await expectGone(pidsOf(places));
  });

  it('keeps the data of Redis over a restart', async () => {
    const first = launch();
    const before = connectRedis((await first.places()).redis.url, 'request');
    await waitUntilReady(before, 5_000);
    await before.set('write', 'accepted');
    await closeRedis(before);
    first.signal('SIGINT');
    await first.ended;

    const after = connectRedis((await launch().places()).redis.url, 'request');
    await waitUntilReady(after, 5_000);
    expect(await after.get('write')).toBe('accepted');
    await closeRedis(after);
  });

  it.each([
    ['the gateway', 'gateway', /^The gateway ended unexpectedly \(SIGKILL\)\.\n( {4}.*\n)* {4}gateway listens\n/],
    ['the mock', 'mock', /^The mock ended unexpectedly \(SIGKILL\)\.\n/],
    ['Redis', 'redis', /^Redis ended unexpectedly/],
  ] as const)('says so and ends the rest when %s dies', async (_, name, sentence) => {
    const launched = launch();
    const places = await launched.places();
    process.kill(places[name].pid, 'SIGKILL');
    const { code, errors } = await launched.ended;
    expect(errors).toMatch(sentence);
    expect(code).toBe(1);
    await expectGone(pidsOf(places));
  });

  it('gives the last words of an app that cannot start', async () => {
    const { code, errors } = await launch({ GATEWAY_STAND_IN: 'fails' }).ended;
    expect(errors).toBe('The gateway ended unexpectedly (exit code 3).\n    CREDENTIALS: found nothing, expected a file\n');
    expect(code).toBe(1);
  });

  it('leaves nothing behind when it is killed itself, and starts again at once', async () => {
    const first = launch();
    const places = await first.places();
    first.signal('SIGKILL');
    await first.ended;
    const second = await launch().places();
    await expectGone(pidsOf(places));
    expect(second.redis.pid).not.toBe(places.redis.pid);
    // Both heard of it and ended in good order.
    expect(endings().split('\n').sort()).toEqual(['', 'gateway', 'mock']);
  });

  it('refuses to run twice on the same data', async () => {
    const first = launch();
    const places = await first.places();
    const { code, out, errors } = await launch({ PORT: '1', MOCK_PORT: '2' }).ended;
    expect(errors).toBe(`Already running on this data folder (process ${first.pid}): end it there with Ctrl-C first.\n`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(pidsOf(places).map(commandOf)).not.toContain(undefined);
  });

  describe('one clear sentence', () => {
    let taken: Server | undefined;
    afterEach(async () => {
      if (taken) await new Promise((closed) => taken?.close(closed));
      taken = undefined;
    });

    it.each([
      ['PORT', 'gateway'],
      ['MOCK_PORT', 'mock'],
    ] as const)('when the port in %s is in use', async (variable, name) => {
      const port = bench.ports[name];
      taken = createServer();
      await new Promise<void>((listening) => taken?.listen(port, '127.0.0.1', listening));
      expect(await launch().ended).toEqual({
        code: 1,
        out: '',
        errors: `Port ${port} is in use: end what listens there, or set ${variable} to another port (${variable}=${port + 1} npm start).\n`,
      });
    });

    it.each([
      [{ PORT: 'eighty' }, 'PORT: found "eighty", expected a port number from 1 to 65535.'],
      [{ PORT: '4100', MOCK_PORT: '4100' }, 'PORT and MOCK_PORT are both 4100: the gateway and the mock need a port each.'],
      [{ REDIS_URL: 'http://127.0.0.1' }, 'REDIS_URL: expected a URL that begins with redis:// or rediss://.'],
    ])('when the settings are %j', async (settings, sentence) => {
      expect(await launch(settings).ended).toEqual({ code: 1, out: '', errors: `${sentence}\n` });
    });

    it('when Redis does not start', async () => {
      const { code, errors } = await launch({ DATA_DIR: '/dev/null/data' }).ended;
      expect(code).toBe(1);
      expect(errors).toMatch(/^[^\n]*\/dev\/null\/data[^\n]*\n$/);
    });

    it('when the Redis of REDIS_URL does not answer, without its password', async () => {
      const { code, errors } = await launch({ REDIS_URL: `redis://me:secret@127.0.0.1:${bench.ports.mock}/0` }).ended;
      expect(code).toBe(1);
      expect(errors).toMatch(/^REDIS_URL: redis:\/\/127\.0\.0\.1:\d+\/0 cannot be used: [^\n]*ECONNREFUSED[^\n]*\.\n$/);
    });
  });

  it('uses the Redis of REDIS_URL and leaves it running', async () => {
    const redis = await startPrivateRedis();
    try {
      const launched = launch({ REDIS_URL: redis.url });
      await waitFor('the summary', () => launched.out().includes('not ours: left alone'));
      expect(existsSync(join(bench.directory, 'data/redis'))).toBe(false);
      launched.signal('SIGINT');
      await launched.ended;
      expect(commandOf(redis.pid)).toBeDefined();
    } finally {
      await redis.stop();
    }
  });

  it.each([
    { UPSTREAM_BASE_URL: 'http://127.0.0.1:9' },
    { GOOGLE_APPLICATION_CREDENTIALS: '/a.json,/b.json' },
    { GOOGLE_DEFAULT_CREDENTIALS: 'true' },
  ])('starts no mock with %j', async (settings) => {
    const launched = launch(settings);
    await waitFor('the summary', () => launched.out().includes('Ctrl-C ends all of it'));
    expect(launched.out()).toMatch(/^ {2}upstream +(http:\/\/127\.0\.0\.1:9|the real Google Sheets API)$/m);
    expect(launched.out()).not.toContain('mock listens');
  });

  it('shows where a key goes, and no key', async () => {
    const launched = launch({ API_KEYS: 'a-key-of-16-letters' });
    await launched.places();
    expect(launched.out()).toContain('-H "Authorization: Bearer $API_KEY"');
    expect(launched.out()).not.toContain('a-key-of-16-letters');
  });
});

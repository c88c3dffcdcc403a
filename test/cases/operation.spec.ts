import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, startPrivateRedis, type PrivateRedis } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Redis } from 'ioredis';
import { type Answer, type Client } from '../support/client';
import { startQueuedStack, type QueuedStack } from './support/queued-stack';
import { addTabs, cellsOf, createSpreadsheet, rowsPath } from './support/tabs';

/** Longer than an idle worker waits for a job in one go: it has met the outage by then. */
const OUTAGE_MS = 6_000;

describe('operation: outages of Redis, paused processes, broken spreadsheets', () => {
  let directory: string;
  let redis: PrivateRedis;
  let queued: QueuedStack;
  let client: Client;
  let broken: string;
  const path = rowsPath('log');
  const commonEnv = { UPSTREAM_TIMEOUT_MS: '1000' };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cases-redis-'));
    redis = await startPrivateRedis({ directory });
    queued = await startQueuedStack({
      redis,
      commonEnv,
      prepare: async (upstream, mockUrl) => {
        await addTabs(upstream, { log: [['id', 'n']], large: [['id', 'text']] });
        broken = await createSpreadsheet(mockUrl, 'log', [['id', 'n']]);
      },
      firstLooks: () => [`/spreadsheets/${broken}/sheets/log/rows`],
    });
    client = queued.client;
  }, 90_000);
  afterAll(async () => {
    await queued?.stop();
    await redis?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function landed(prefix: string): Promise<unknown[]> {
    return (await cellsOf(queued.upstream, 'log')).map(([id]) => id).filter((id) => String(id).startsWith(prefix));
  }

  function named(prefix: string, count: number): string[] {
    return Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  }

  async function append(ids: readonly string[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const id of ids) answers.push(await client.post(path, { id, n: id }));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
    return answers;
  }

  async function ready(status: number): Promise<void> {
    await waitFor(`ready to be ${status}`, async () => (await client.get('/health/ready')).status === status, {
      timeoutMs: 30_000,
      everyMs: 100,
    });
  }

  it('a spreadsheet that always fails holds up no other; its own writes wait in order (cases 046, 122)', async () => {
    const there = `/spreadsheets/${broken}/sheets/log/rows`;
    await queued.upstream.faults({ rules: [{ fault: '503', on: 'any', spreadsheetId: broken }] });
    const stuck: Answer[] = [];
    for (const id of named('x', 5)) {
      stuck.push(await client.post(there, { id }));
      await append([`other-${id}`]);
    }
    await queued.settled();
    expect(await landed('other-')).toEqual(named('other-x', 5));
    const before = await Promise.all(stuck.map((answer) => queued.stateOf(answer)));
    expect(before.filter((state) => state === 'applied' || state === 'failed')).toEqual([]);
    await queued.upstream.faults({ rules: [] });
    for (const answer of stuck)
      await waitFor('its turn', async () => (await client.get(`/writes/${answer.body.id}?wait=10s`)).body.state === 'applied', {
        timeoutMs: 45_000,
      });
    const rows = (await queued.upstream.values('log!A1:A50', broken)).map(([id]) => id);
    expect(rows).toEqual(['id', ...named('x', 5)]);
  }, 90_000);

  it('a job carries a reference: two megabytes of cells stay out of the board (case 098)', async () => {
    await queued.hold();
    const text = 'confidential '.repeat(280);
    const answer = await client.post(
      rowsPath('large'),
      named('big', 500).map((id) => ({ id, text })),
    );
    expect(answer.status).toBe(202);
    const board = await client.get('/queues/api/queues?activeQueue=writes&page=1&jobsPerPage=100');
    const shown = JSON.stringify(board.body);
    expect(board.status).toBe(200);
    expect(shown).toContain(answer.body.id);
    expect(shown).not.toContain('confidential');
    expect(shown.length).toBeLessThan(200_000);
    await queued.letGo();
    const rows = (await cellsOf(queued.upstream, 'large')).slice(1);
    expect(rows.map(([id]) => id)).toEqual(named('big', 500));
    expect(new Set(rows.map((row) => row[1]))).toEqual(new Set([text]));
  }, 90_000);

  it('a drain that is paused in the middle of a call, past its lease, doubles nothing when it goes on (case 112)', async () => {
    await queued.upstream.faults({ latencyMs: 600, latencyJitterMs: 0, rules: [] });
    const before = (await queued.upstream.calls()).length;
    const first = await append(named('paused', 3));
    await waitFor(
      'the call to be on its way',
      async () => (await queued.upstream.calls()).slice(before).some((call) => call.kind === 'write' && call.status === 0),
      { everyMs: 10, timeoutMs: 30_000 },
    );
    queued.pause();
    const other = await startApp({
      name: 'gateway',
      env: {
        ...commonEnv,
        ROLE: 'drain',
        REDIS_URL: redis.url,
        UPSTREAM_BASE_URL: queued.stack.mock.baseUrl,
        QUOTA_LIMIT: '100000',
        QUOTA_WINDOW_MS: '600000',
      },
    });
    try {
      const second = await append(named('taken-over', 3));
      for (const answer of [...first, ...second])
        await waitFor(
          'the other drain to settle it',
          async () => (await client.get(`/writes/${answer.body.id}?wait=10s`)).body.state === 'applied',
          { timeoutMs: 60_000 },
        );
      queued.resume();
      await queued.upstream.faults({ rules: [] });
      const third = await append(named('afterwards', 3));
      await queued.settled();
      expect(await Promise.all([...first, ...second, ...third].map((answer) => queued.stateOf(answer)))).toEqual(
        Array.from({ length: 9 }, () => 'applied'),
      );
      const rows = await landed('');
      const ours = rows.filter((id) => /^(paused|taken-over|afterwards)/.test(String(id)));
      expect(ours).toEqual([...named('paused', 3), ...named('taken-over', 3), ...named('afterwards', 3)]);
    } finally {
      queued.resume();
      await queued.upstream.faults({ rules: [] });
      await other.stop();
    }
  }, 120_000);

  it('Redis is silent for longer than a worker waits: no process restarts, and jobs are taken again afterwards (cases 109, 119)', async () => {
    await queued.settled();
    redis.pause();
    try {
      await ready(503);
      const since = performance.now();
      await waitFor(
        'the outage to have lasted',
        async () => {
          expect((await client.get('/health/live')).status).toBe(200);
          expect((await client.post(path, { id: 'during the outage' })).status).toBe(503);
          return performance.now() - since > OUTAGE_MS;
        },
        { timeoutMs: 30_000, everyMs: 200 },
      );
    } finally {
      redis.resume();
    }
    await ready(200);
    expect(queued.stack.gateways.map((gateway) => gateway.ending())).toEqual([undefined, undefined]);
    const answers = await append(named('back', 3));
    await queued.settled();
    expect(await Promise.all(answers.map((answer) => queued.stateOf(answer)))).toEqual(['applied', 'applied', 'applied']);
    expect(await landed('back')).toEqual(named('back', 3));
  }, 120_000);

  it('a Redis that can be read and not written turns ready red and live not; nothing is acknowledged meanwhile (case 119)', async () => {
    const operator = new Redis(redis.url);
    try {
      await operator.call('REPLICAOF', '127.0.0.1', '1');
      await ready(503);
      expect((await client.get('/health/live')).status).toBe(200);
      const refused = await client.post(path, { id: 'read-only' });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await client.get(path)).status).toBe(200);
    } finally {
      await operator.call('REPLICAOF', 'NO', 'ONE');
      operator.disconnect();
    }
    await ready(200);
    await append(['writable']);
    await queued.settled();
    expect(await landed('writable')).toEqual(['writable']);
    expect(await landed('read-only')).toEqual([]);
  }, 120_000);

  it('Redis is killed between acceptance and sending: every acknowledged write arrives, once and in order (case 128)', async () => {
    await queued.hold();
    const answers = await append(named('kept', 20));
    await redis.kill();
    redis = await startPrivateRedis({ directory, port: redis.port });
    await ready(200);
    queued.resume();
    await queued.settled();
    expect(await Promise.all(answers.map((answer) => queued.stateOf(answer)))).toEqual(answers.map(() => 'applied'));
    expect(await landed('kept')).toEqual(named('kept', 20));
  }, 120_000);
});

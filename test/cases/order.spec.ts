import { startApp, type App } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, type Answer } from '../support/client';
import { startQueuedStack, type QueuedStack } from './support/queued-stack';
import { addTabs, cellsOf, rowsPath } from './support/tabs';

/** One gateway queues every write; another, started later and with a quota of its own, writes directly; they share log and view. */
describe('order, and reading your own writes, while some writes wait and others do not', () => {
  let queued: QueuedStack;
  let client: Client;
  let direct: Client;
  let late: App | undefined;
  let delivered: Answer[];
  const path = rowsPath('stock');
  const delivery = { id: 'k130', a: 'hook' };
  const deliveryKey = { 'Idempotency-Key': 'delivery-8' };

  beforeAll(async () => {
    queued = await startQueuedStack({
      prepare: async (upstream) => {
        await addTabs(upstream, {
          stock: [['id', 'a', 'b'], ...['k43', 'k44', 'k41', 'k42', 'k125', 'k129'].map((id) => [id, 'old', 'old'])],
        });
      },
    });
    client = queued.client;
    await queued.hold();
    delivered = [await client.post(path, delivery, deliveryKey), await client.post(path, delivery, deliveryKey)];
    late = await startApp({
      name: 'gateway',
      env: {
        ROLE: 'api',
        REDIS_URL: queued.stack.redis.url,
        UPSTREAM_BASE_URL: queued.stack.mock.baseUrl,
        QUOTA_PRESET: 'google',
        DIRECT_WRITE_WAIT_MS: '15000',
      },
    });
    direct = new Client(late.baseUrl);
  }, 90_000);
  afterAll(async () => {
    await late?.stop();
    await queued?.stop();
  });
  afterEach(async () => {
    await queued.upstream.faults({ rules: [] });
    await queued.letGo();
  }, 60_000);

  async function rowOf(key: string): Promise<unknown[] | undefined> {
    return (await cellsOf(queued.upstream, 'stock')).find(([id]) => id === key);
  }

  it('one Idempotency-Key is one row: while the first is queued, in a process started later, and after it (case 130)', async () => {
    const answers = [...delivered, await direct.post(path, delivery, deliveryKey)];
    expect(answers.map(({ status, body }): unknown => [status, body.id])).toEqual(
      Array.from({ length: 3 }, (): unknown => [202, delivered[0].body.id]),
    );
    const other = await direct.post(path, { ...delivery, a: 'another' }, deliveryKey);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    await queued.letGo();
    const afterwards = await client.post(path, delivery, deliveryKey);
    expect([afterwards.status, afterwards.body.id, afterwards.body.state]).toEqual([201, delivered[0].body.id, 'applied']);
    expect((await cellsOf(queued.upstream, 'stock')).filter(([id]) => id === 'k130')).toEqual([['k130', 'hook']]);
  }, 60_000);

  it('two patches of different columns of one row both stay (case 043)', async () => {
    await queued.hold();
    await client.patch(`${path}/k43`, { a: 1 });
    await client.patch(`${path}/k43`, { b: 2 });
    expect((await client.get(`${path}/k43`)).body).toEqual({ id: 'k43', a: 1, b: 2 });
    await queued.letGo();
    expect(await rowOf('k43')).toEqual(['k43', 1, 2]);
  }, 60_000);

  it('three values of one cell end with the last, though the first send fails; no read goes back (case 044)', async () => {
    await queued.hold();
    await queued.upstream.faults({ rules: [{ fault: '503', on: 'write', times: 1 }] });
    const answers = [];
    for (const a of [1, 2, 3]) answers.push(await client.patch(`${path}/k44`, { a }));
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    queued.resume();
    const seen = new Set<unknown>();
    await waitFor(
      'all three to be settled',
      async () => {
        seen.add((await client.get(`${path}/k44`)).body.a);
        return (await queued.pending())?.length === 0;
      },
      { timeoutMs: 45_000 },
    );
    expect([...seen]).toEqual([3]);
    expect(await rowOf('k44')).toEqual(['k44', 3, 'old']);
    expect(await Promise.all(answers.map((answer) => queued.stateOf(answer)))).toEqual(['applied', 'applied', 'applied']);
  }, 60_000);

  it('a row that is appended, changed and deleted before it was sent never reaches the upstream (case 047)', async () => {
    await queued.hold();
    const before = await queued.writeCalls();
    const answers = [
      await client.post(path, { id: 'k47', a: 1 }),
      await client.patch(`${path}/k47`, { a: 2 }),
      await client.delete(`${path}/k47`),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect((await client.get(`${path}/k47`)).status).toBe(404);
    await queued.letGo();
    expect(await Promise.all(answers.map((answer) => queued.stateOf(answer)))).toEqual(['applied', 'applied', 'applied']);
    expect(await queued.writeCalls()).toBe(before);
    expect(await rowOf('k47')).toBeUndefined();
  }, 60_000);

  it('a key that was settled and is used again carries its new data: no write is dropped as a repeat (case 113)', async () => {
    await client.post(path, { id: 'k113', a: 'first' });
    await queued.settled();
    await client.delete(`${path}/k113`);
    await queued.settled();
    const again = await client.post(path, { id: 'k113', a: 'second' });
    expect(again.status).toBe(202);
    await queued.settled();
    expect(await rowOf('k113')).toEqual(['k113', 'second']);
    expect(await queued.stateOf(again)).toBe('applied');
  }, 60_000);

  it('a write that comes in while an earlier one of the same cell is on its way stays (case 125)', async () => {
    await queued.upstream.faults({ latencyMs: 400, latencyJitterMs: 0, rules: [] });
    await client.patch(`${path}/k125`, { a: 'v1' });
    await waitFor('the first to be on its way', async () =>
      (await queued.upstream.calls()).some((call) => call.kind === 'write' && call.status === 0),
    );
    await client.patch(`${path}/k125`, { a: 'v2' });
    const seen = new Set<unknown>();
    await waitFor(
      'both to be settled',
      async () => {
        seen.add((await client.get(`${path}/k125`)).body.a);
        return (await queued.pending())?.length === 0;
      },
      { timeoutMs: 45_000 },
    );
    expect([...seen]).toEqual(['v2']);
    expect(await rowOf('k125')).toEqual(['k125', 'v2', 'old']);
  }, 60_000);

  it('a direct write does not overtake a queued one of the same cell, nor is it undone by it later (case 129)', async () => {
    await queued.hold();
    expect((await client.patch(`${path}/k129`, { a: 'v1', b: 'v1' })).status).toBe(202);
    const second = await direct.patch(`${path}/k129`, { a: 'v2' });
    expect([second.status, second.headers.get('x-system-degraded')]).toEqual([200, 'false']);
    expect(await rowOf('k129')).toEqual(['k129', 'v2', 'v1']);
    await queued.letGo();
    expect(await rowOf('k129')).toEqual(['k129', 'v2', 'v1']);
    expect((await client.get(`${path}/k129`)).body).toEqual({ id: 'k129', a: 'v2', b: 'v1' });
  }, 60_000);

  it('an acknowledged write stays visible while the upstream’s own reads do not show it yet (case 041)', async () => {
    await queued.upstream.faults({ rules: [{ fault: 'lagging-reads', on: 'read', delayMs: 120_000 }] });
    expect((await direct.patch(`${path}/k41`, { b: 5 })).status).toBe(200);
    for (const reader of [direct, client, direct]) expect((await reader.get(`${path}/k41`)).body.b).toBe(5);
    await queued.upstream.faults({ rules: [] });
    const caughtUp = await direct.get(`${path}/k41`);
    expect([caughtUp.body.b, caughtUp.headers.get('x-data-source')]).toEqual([5, 'upstream']);
  }, 60_000);

  it('a direct read shows a person’s edit at once, a degraded one says how old its answer is (case 042)', async () => {
    const sheet = await cellsOf(queued.upstream, 'stock');
    const row = sheet.findIndex(([id]) => id === 'k42') + 1;
    await queued.upstream.write(`stock!B${row}`, [['by hand']]);
    const fresh = await direct.get(`${path}/k42`);
    expect([fresh.body.a, fresh.headers.get('age'), fresh.headers.get('x-data-source')]).toEqual(['by hand', '0', 'upstream']);
    const degraded = await client.get(`${path}/k42`);
    expect([degraded.body.a, degraded.headers.get('x-data-source')]).toEqual(['by hand', 'snapshot']);
    await waitFor('the age to grow', async () => Number((await client.get(`${path}/k42`)).headers.get('age')) >= 1);
  }, 60_000);
});

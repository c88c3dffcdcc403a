import { randomBytes, randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitFor, waitUntilReady, type RedisClient } from '@app/platform';
import { backlogKey, SpreadsheetKeys } from './keys';
import { WriteLog, type AcceptResult, type WriteRequest } from './write-log';
import { WriterLease } from './writer-lease';
import type { FrozenBatch } from './frozen-batch';
import type { WriteOperation } from './write';

const PREFIX = `test-log-${randomBytes(6).toString('hex')}-`;
const LEASE_MS = 30_000;

describe('the write log', () => {
  let redis: RedisClient;
  let log: WriteLog;
  let spreadsheetId: string;
  let keys: SpreadsheetKeys;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
    log = new WriteLog(redis, PREFIX);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    spreadsheetId = randomUUID();
    keys = log.keysOf(spreadsheetId);
  });

  const append = (...rowKeys: string[]): WriteOperation => ({
    kind: 'append',
    rows: rowKeys.map((key) => ({ key, values: { id: key } })),
  });
  const patch = (key: string): WriteOperation => ({ kind: 'patch', key, set: { item: 'x' } });
  const remove = (key: string): WriteOperation => ({ kind: 'delete', key });
  const request = (operation: WriteOperation, over: Partial<WriteRequest> = {}): WriteRequest => ({
    sheetId: 0,
    sheetTitle: 'orders',
    operation,
    ...over,
  });

  /** Accepts a write that must be accepted. */
  async function accept(operation: WriteOperation, over?: Partial<WriteRequest>): Promise<{ number: number; id: string }> {
    const result = await log.accept(spreadsheetId, request(operation, over));
    if (result.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(result)}`);
    return result;
  }

  function batchOf(number: number, numbers: readonly number[], over: Partial<FrozenBatch> = {}): FrozenBatch {
    const body = { requests: [] };
    const last = numbers[numbers.length - 1];
    const id = randomBytes(6).toString('hex');
    return { number, id, first: numbers[0], last, numbers, body, numbersByRequest: [], attempts: 1, ...over };
  }

  async function lease(): Promise<WriterLease> {
    const taken = await WriterLease.take(redis, keys, LEASE_MS);
    if (taken === undefined) throw new Error('the lease is taken');
    return taken;
  }

  const states = async (...ids: string[]): Promise<(string | undefined)[]> =>
    await Promise.all(ids.map(async (id) => (await log.receipt(id))?.state));
  const sheetFields = async (...names: string[]): Promise<(string | null)[]> =>
    await redis.hmget(`${keys.base}sheet:0`, ...names);

  describe('accept', () => {
    it('numbers 200 writes that come at once densely and in one order, so that none is lost and none overtakes', async () => {
      const other = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
      await waitUntilReady(other, 5_000);
      const logs = [log, new WriteLog(other, PREFIX)];
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, at) => logs[at % 2].accept(spreadsheetId, request(append(`k${at}`)))),
      );
      await closeRedis(other);

      const numbers = results.map((result) => ('number' in result ? result.number : NaN)).sort((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
      const { writes } = await log.pending(keys, 1, 1_000);
      expect(writes.map((write) => write.number)).toEqual(numbers);
      // What stands at a number is what the accepter of that number was told.
      for (const [at, result] of results.entries()) {
        if (!('number' in result)) throw new Error('refused');
        expect(writes[result.number - 1].operation).toEqual(append(`k${at}`));
      }
    });

    it('lets one of two appends of a key win while neither has reached the upstream', async () => {
      const results = await Promise.all(['a', 'b'].map((other) => log.accept(spreadsheetId, request(append('twin', other)))));
      expect(results.map(({ kind }) => kind).sort()).toEqual(['accepted', 'key-taken']);
      expect(results.find(({ kind }) => kind === 'key-taken')).toEqual({ kind: 'key-taken', key: 'twin' });
      expect((await log.drainState(keys)).tail).toBe(1);
    });

    it('refuses an array with one taken key whole: its other keys stay free', async () => {
      await accept(append('taken'));
      expect((await log.accept(spreadsheetId, request(append('fresh', 'taken')))).kind).toBe('key-taken');
      await accept(append('fresh'));
    });

    it('frees the key of a pending append by a delete', async () => {
      await accept(append('again'));
      await accept(remove('again'));
      await accept(append('again'));
    });

    it('keeps keys of different tabs apart', async () => {
      await accept(append('same'), { sheetId: 0 });
      await accept(append('same'), { sheetId: 7 });
    });

    it('changes the version of the sheet with each write, and of no other sheet', async () => {
      await accept(append('a'));
      const before = await sheetFields('version');
      await accept(patch('a'));
      const after = await sheetFields('version');
      await accept(append('b'), { sheetId: 7 });
      expect(after).not.toEqual(before);
      expect(await sheetFields('version')).toEqual(after);
    });
  });

  describe('Idempotency-Key', () => {
    const idempotent = (bodyDigest: string): Partial<WriteRequest> => ({ idempotency: { key: 'digest-of-key', bodyDigest } });

    it('gives a retry the first answer and no second row, even if both come at once', async () => {
      const results = await Promise.all(
        Array.from({ length: 8 }, () => log.accept(spreadsheetId, request(append('once'), idempotent('body')))),
      );
      expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'repeated')).toHaveLength(7);
      expect(new Set(results.map((result: AcceptResult) => ('id' in result ? result.id : ''))).size).toBe(1);
      expect((await log.drainState(keys)).tail).toBe(1);
    });

    it('with another body is refused, or the second request would be lost without a word', async () => {
      await accept(append('a'), idempotent('one'));
      expect(await log.accept(spreadsheetId, request(append('b'), idempotent('two')))).toEqual({ kind: 'key-reused' });
      expect((await log.drainState(keys)).tail).toBe(1);
    });

    it('is answered with the first write after that write has been settled', async () => {
      const first = await accept(append('a'), idempotent('one'));
      await log.settle(keys, batchOf(1, [first.number]));
      expect(await log.accept(spreadsheetId, request(append('a'), idempotent('one')))).toEqual({
        kind: 'repeated',
        number: first.number,
        id: first.id,
      });
      expect(await log.findRepeated(spreadsheetId, 'digest-of-key')).toEqual({ id: first.id, bodyDigest: 'one' });
      expect(await log.findRepeated(spreadsheetId, 'another-key')).toBeUndefined();
    });

    it('is not used up by a write that was refused', async () => {
      await accept(append('a'));
      expect((await log.accept(spreadsheetId, request(append('a'), idempotent('one')))).kind).toBe('key-taken');
      expect(await log.findRepeated(spreadsheetId, 'digest-of-key')).toBeUndefined();
    });
  });

  describe('freeze', () => {
    it('is for the holder of the writer lease only, or two writers could send at once', async () => {
      const { number, id } = await accept(append('a'));
      const holder = await lease();
      expect(await log.freeze(keys, 'somebody-else', LEASE_MS, batchOf(1, [number]))).toBe(false);
      expect((await log.drainState(keys)).frozen).toBeUndefined();
      expect(await states(id)).toEqual(['accepted']);
      await holder.giveBack();
      expect(await log.freeze(keys, holder.token, LEASE_MS, batchOf(1, [number]))).toBe(false);
    });

    it('keeps the batch word for word for whoever drains next, and moves receipts to sending, then unknown', async () => {
      const first = await accept(append('a'));
      const second = await accept(patch('a'));
      const batch = batchOf(1, [first.number], { body: { requests: [{ appendCells: { rows: ['ü'] } }] } });
      const holder = await lease();
      expect(await log.freeze(keys, holder.token, LEASE_MS, batch)).toBe(true);
      expect((await log.drainState(keys)).frozen).toEqual(batch);
      expect(await states(first.id, second.id)).toEqual(['sending', 'accepted']);
      const sentAt = (await log.receipt(first.id))?.sentAt;
      expect(sentAt).toBeDefined();

      const undecided = { ...batch, attempts: 2, undecidedSinceMs: 1 };
      expect(await log.freeze(keys, holder.token, LEASE_MS, undecided)).toBe(true);
      expect((await log.drainState(keys)).frozen).toEqual(undecided);
      expect(await states(first.id, second.id)).toEqual(['unknown', 'accepted']);
      expect((await log.receipt(first.id))?.sentAt).toBe(sentAt);
    });

    it('comes too late for a batch that a reader has settled meanwhile, or its receipts would be unknown for ever', async () => {
      const { number, id } = await accept(append('a'));
      const holder = await lease();
      const batch = batchOf(1, [number]);
      await log.freeze(keys, holder.token, LEASE_MS, batch);
      await log.settle(keys, batch);
      expect(await log.freeze(keys, holder.token, LEASE_MS, { ...batch, undecidedSinceMs: 1 })).toBe(false);
      expect(await states(id)).toEqual(['applied']);
      expect((await log.drainState(keys)).frozen).toBeUndefined();
    });
  });

  describe('settle', () => {
    it('says applied on the receipts of the batch, forgets the frozen batch and moves the mark', async () => {
      const first = await accept(append('a'));
      const second = await accept(append('b'));
      const third = await accept(append('c'));
      const holder = await lease();
      const batch = batchOf(4, [first.number, second.number]);
      await log.freeze(keys, holder.token, LEASE_MS, batch);
      await log.settle(keys, batch);
      expect(await log.drainState(keys)).toMatchObject({ tail: 3, appliedThrough: 2, batchNumber: 4 });
      expect((await log.drainState(keys)).frozen).toBeUndefined();
      expect(await states(first.id, second.id, third.id)).toEqual(['applied', 'applied', 'accepted']);
      expect((await log.receipt(first.id))?.settledAt).toBeDefined();
    });

    it('said twice changes nothing, and said late moves no mark back', async () => {
      const writes = [await accept(append('a')), await accept(append('b')), await accept(append('c'))];
      const early = batchOf(1, [1]);
      const late = batchOf(2, [2, 3]);
      await log.settle(keys, early);
      await log.settle(keys, late);
      const settled = await Promise.all(writes.map(({ id }) => log.receipt(id)));
      await log.settle(keys, late);
      await log.settle(keys, early);
      expect(await log.drainState(keys)).toMatchObject({ appliedThrough: 3, batchNumber: 2 });
      expect(await redis.hget(keys.marks, 'sendingThrough')).toBe('3');
      expect(await Promise.all(writes.map(({ id }) => log.receipt(id)))).toEqual(settled);
    });

    it('of an earlier batch leaves the one that is frozen now alone', async () => {
      await accept(append('a'));
      await accept(append('b'));
      const holder = await lease();
      const earlier = batchOf(1, [1]);
      const frozen = batchOf(2, [2]);
      await log.settle(keys, earlier);
      await log.freeze(keys, holder.token, LEASE_MS, frozen);
      await log.settle(keys, earlier);
      expect((await log.drainState(keys)).frozen?.id).toBe(frozen.id);
    });

    it('without a batch passes over set-aside numbers and uses up no batch number', async () => {
      const { number, id } = await accept(append('a'));
      await accept(append('b'));
      await log.setAside(keys, 'failed', [{ number: 2, code: 'c', message: 'm' }]);
      await log.settleUnsent(keys, 2, [number]);
      expect(await log.drainState(keys)).toMatchObject({ appliedThrough: 2, batchNumber: 0 });
      expect(await states(id)).toEqual(['applied']);
    });

    it('of a receipt lets it run out by itself; a pending one never does', async () => {
      const done = await accept(append('a'));
      const pending = await accept(append('b'));
      await log.settle(keys, batchOf(1, [done.number]));
      expect(await redis.ttl(keys.receipt(done.number))).toBeGreaterThan(3_600);
      expect(await redis.ttl(keys.receipt(pending.number))).toBe(-1);
    });
  });

  describe('set aside', () => {
    it('takes a write out of log and view, says why on its receipt and frees its key', async () => {
      const bad = await accept(append('k'));
      const next = await accept(append('other'));
      const before = await sheetFields('version', 'removals');
      const count = await log.setAside(keys, 'failed', [{ number: bad.number, code: 'column-gone', message: 'no such column' }]);
      expect(count).toBe(1);
      expect(await log.receipt(bad.id)).toMatchObject({
        state: 'failed',
        reason: { code: 'column-gone', message: 'no such column' },
      });
      expect((await log.receipt(bad.id))?.settledAt).toBeDefined();
      expect((await log.pending(keys, 1, 10)).writes.map(({ number }) => number)).toEqual([next.number]);
      const [version, removals] = await sheetFields('version', 'removals');
      expect(version).not.toBe(before[0]);
      expect(Number(removals)).toBe(Number(before[1]) + 1);
      await accept(append('k'));
    });

    it('said twice counts once and does not overwrite the first reason', async () => {
      const { number, id } = await accept(append('k'));
      await log.setAside(keys, 'failed', [{ number, code: 'first', message: 'm' }]);
      const fields = await sheetFields('version', 'removals');
      expect(await log.setAside(keys, 'failed', [{ number, code: 'second', message: 'm' }])).toBe(0);
      expect((await log.receipt(id))?.reason?.code).toBe('first');
      expect(await sheetFields('version', 'removals')).toEqual(fields);
    });

    it('does not free a key that a later append holds by now', async () => {
      const first = await accept(append('k'));
      await accept(remove('k'));
      await accept(append('k'));
      await log.setAside(keys, 'failed', [{ number: first.number, code: 'c', message: 'm' }]);
      expect((await log.accept(spreadsheetId, request(append('k')))).kind).toBe('key-taken');
    });

    it('leaves a number where it was: pending() passes over it and says how far it looked', async () => {
      for (const key of ['a', 'b', 'c', 'd']) await accept(append(key));
      await log.setAside(
        keys,
        'cancelled',
        [2, 4].map((number) => ({ number, code: 'c', message: 'm' })),
      );
      expect(await log.pending(keys, 1, 2)).toMatchObject({ last: 2, writes: [{ number: 1 }] });
      expect(await log.pending(keys, 2, 10)).toMatchObject({ last: 4, writes: [{ number: 3 }] });
      expect(await log.pending(keys, 4, 10)).toEqual({ last: 4, writes: [] });
      expect(await log.pending(keys, 5, 10)).toEqual({ last: 4, writes: [] });
    });
  });

  describe('writes that cancel each other out', () => {
    it('leave log and view, so that a row of that key that a person makes later is not hidden', async () => {
      const made = await accept(append('k'));
      const deleted = await accept(remove('k'));
      const before = await sheetFields('version', 'removals');
      await log.settleUnsent(keys, 2, [made.number, deleted.number]);
      expect(await states(made.id, deleted.id)).toEqual(['applied', 'applied']);
      expect(await redis.hlen(keys.log)).toBe(0);
      expect(await redis.zcard(`${keys.base}sheet:0:log`)).toBe(0);
      const [version, removals] = await sheetFields('version', 'removals');
      expect(version).toBe(before[0]);
      expect(removals).not.toBe(before[1]);
    });

    it('do not free a key that a later append holds', async () => {
      const made = await accept(append('k'));
      const deleted = await accept(remove('k'));
      await accept(append('k'));
      await log.settleUnsent(keys, 2, [made.number, deleted.number]);
      expect((await log.accept(spreadsheetId, request(append('k')))).kind).toBe('key-taken');
    });
  });

  describe('pending', () => {
    it('stops after a few megabytes, so that a backlog of large writes fits into memory, and always gives at least one', async () => {
      const large: WriteOperation = { kind: 'append', rows: [{ key: 'l', values: { id: 'l', text: 'x'.repeat(2_500_000) } }] };
      const huge: WriteOperation = { kind: 'append', rows: [{ key: 'h', values: { id: 'h', text: 'x'.repeat(5_000_000) } }] };
      await accept(huge);
      await accept(large);
      await accept(patch('a'));
      await accept({ ...large, rows: [{ ...large.rows[0], key: 'm' }] });
      const numbersFrom = async (first: number): Promise<number[]> =>
        (await log.pending(keys, first, 10)).writes.map(({ number }) => number);
      expect(await numbersFrom(1)).toEqual([1]);
      expect(await numbersFrom(2)).toEqual([2, 3]);
      expect((await log.pending(keys, 2, 10)).last).toBe(3);
      expect(await numbersFrom(4)).toEqual([4]);
    });
  });

  describe('thaw', () => {
    it('is for the named batch only, so that a late thaw cannot take back what another writer sends', async () => {
      const { number, id } = await accept(append('a'));
      const holder = await lease();
      const batch = batchOf(3, [number]);
      await log.freeze(keys, holder.token, LEASE_MS, batch);
      await log.thaw(keys, batchOf(3, [number]), { numberUsed: true });
      expect((await log.drainState(keys)).frozen?.id).toBe(batch.id);
      expect(await states(id)).toEqual(['sending']);

      await log.thaw(keys, batch, { numberUsed: false });
      expect(await log.drainState(keys)).toMatchObject({ appliedThrough: 0, batchNumber: 0 });
      expect((await log.drainState(keys)).frozen).toBeUndefined();
      expect(await states(id)).toEqual(['accepted']);
      expect((await log.receipt(id))?.sentAt).toBeUndefined();
      expect(await redis.hget(keys.marks, 'sendingThrough')).toBe('0');
    });

    it('is not for a batch that another writer has sent again since, or that attempt and the new plan would both be applied', async () => {
      const { number } = await accept(append('a'));
      const first = batchOf(3, [number]);
      await log.freeze(keys, (await lease()).token, LEASE_MS, first);
      // The first writer is paused past its lease; the one who takes over sends the same batch again.
      await redis.del(keys.lease);
      const again = { ...first, attempts: first.attempts + 1, undecidedSinceMs: 1 };
      await log.freeze(keys, (await lease()).token, LEASE_MS, again);

      expect(await log.thaw(keys, first, { numberUsed: false })).toBe(false);
      expect((await log.drainState(keys)).frozen).toEqual(again);
      expect(await log.thaw(keys, first, { numberUsed: true })).toBe(true);
    });

    it('with its number used up makes the next batch take the next number', async () => {
      const { number } = await accept(append('a'));
      const holder = await lease();
      const batch = batchOf(3, [number]);
      await log.freeze(keys, holder.token, LEASE_MS, batch);
      await log.thaw(keys, batch, { numberUsed: true });
      expect((await log.drainState(keys)).batchNumber).toBe(3);
    });

    it('lets the verdict against a write of the batch stand, or its job would wait for ever', async () => {
      const good = await accept(append('a'));
      const bad = await accept(append('b'));
      const holder = await lease();
      const batch = batchOf(1, [good.number, bad.number]);
      await log.freeze(keys, holder.token, LEASE_MS, batch);
      await log.setAside(keys, 'failed', [{ number: bad.number, code: 'rejected-by-upstream', message: 'm' }]);
      await log.thaw(keys, batch, { numberUsed: false });
      expect(await states(good.id, bad.id)).toEqual(['accepted', 'failed']);
    });
  });

  describe('receipts', () => {
    it('are found by the whole id only: a number that Redis gave out twice must not answer for another write', async () => {
      const { id } = await accept(append('a', 'b'));
      expect(await log.receipt(id)).toMatchObject({
        id,
        number: 1,
        state: 'accepted',
        spreadsheetId,
        sheet: 'orders',
        sheetId: 0,
        operation: 'append',
        keys: ['a', 'b'],
      });
      const [tag, number, suffix] = id.split('-');
      const wrong = suffix === '00000000' ? '11111111' : '00000000';
      expect(await log.receipt(`${tag}-${number}-${wrong}`)).toBeUndefined();
      expect(await log.receipt(`${tag}-${Number(number) + 1}-${suffix}`)).toBeUndefined();
    });

    it('are not looked for under an id that is none, so that no text from outside reaches a key name', async () => {
      for (const id of [
        '',
        'x',
        '../../marks',
        '0123456789abcdef-1',
        '0123456789abcdeg-1-00000000',
        `${'0'.repeat(16)}-1-0000000}`,
      ])
        expect(await log.receipt(id)).toBeUndefined();
    });
  });

  describe('the backlog', () => {
    it('names a spreadsheet from before its first write on until it is told that nothing is pending', async () => {
      await accept(append('a'));
      const mine = (await log.backlog()).find((entry) => entry.spreadsheetId === spreadsheetId);
      if (mine === undefined) throw new Error('not in the backlog');
      await log.leaveBacklog(mine.keys, mine.lastAcceptMs);
      expect((await log.backlog()).map((entry) => entry.spreadsheetId)).not.toContain(spreadsheetId);
    });

    it('keeps a spreadsheet that had another accept since it was looked at, or a write could stay without a job', async () => {
      await accept(append('a'));
      const [looked] = (await log.backlog()).filter((entry) => entry.spreadsheetId === spreadsheetId);
      await redis.zadd(backlogKey(PREFIX), looked.lastAcceptMs + 1, keys.tag);
      await log.leaveBacklog(keys, looked.lastAcceptMs);
      expect((await log.backlog()).map((entry) => entry.spreadsheetId)).toContain(spreadsheetId);
    });
  });

  describe('numbers and marks', () => {
    it('of batches only rise', async () => {
      await log.raiseBatchNumber(keys, 40);
      await log.raiseBatchNumber(keys, 9);
      expect((await log.drainState(keys)).batchNumber).toBe(40);
    });

    it('begin a new epoch after Redis has lost the log, so that old commit entries do not count for it', async () => {
      await accept(append('a'));
      const { epoch } = await log.drainState(keys);
      expect(epoch).toMatch(/^[0-9a-f]{8}$/);
      await redis.del(keys.marks, keys.log);
      await accept(patch('a'));
      expect((await log.drainState(keys)).epoch).not.toBe(epoch);
    });

    it('tell how long the pace still holds, and then that it is over', async () => {
      await log.setPace(keys, 80);
      expect((await log.drainState(keys)).paceMs).toBeGreaterThan(0);
      await waitFor('the pace to end', async () => (await log.drainState(keys)).paceMs === 0, { timeoutMs: 5_000 });
    });
  });

  describe('keys', () => {
    it('of one spreadsheet share one hash tag, so that its scripts run on a cluster', () => {
      const tags = [keys.marks, keys.log, keys.batch, keys.lease, keys.pace, keys.tabs, keys.receipt(1)].map(
        (key) => /^\{[^{}]+\}/.exec(key)?.[0],
      );
      expect(new Set(tags)).toEqual(new Set([keys.base.slice(0, -1)]));
    });

    it('carry no text of the spreadsheet id', () => {
      const strange = SpreadsheetKeys.of('p', '}{ *:\n');
      expect(strange.base).toMatch(/^\{p[0-9a-f]{16}\}:$/);
      expect(() => SpreadsheetKeys.fromTag('p', '../../../../../../')).toThrow(RangeError);
    });
  });
});

describe('the writer lease', () => {
  let redis: RedisClient;
  let keys: SpreadsheetKeys;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => (keys = SpreadsheetKeys.of(PREFIX, randomUUID())));

  it('has one holder of all who ask at once', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => WriterLease.take(redis, keys, LEASE_MS)));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('ends by itself, so that a dead holder blocks nobody for long, and cannot be renewed by who has lost it', async () => {
    const dead = (await WriterLease.take(redis, keys, 60)) as WriterLease;
    const next = await waitFor('the lease to end', () => WriterLease.take(redis, keys, LEASE_MS), { timeoutMs: 5_000 });
    expect(await dead.renew()).toBe(false);
    await dead.giveBack();
    expect(await next.renew()).toBe(true);
  });

  it('lasts from its renewal on', async () => {
    const holder = (await WriterLease.take(redis, keys, LEASE_MS)) as WriterLease;
    await redis.pexpire(keys.lease, 1_000);
    expect(await holder.renew()).toBe(true);
    expect(await redis.pttl(keys.lease)).toBeGreaterThan(1_000);
  });

  it('is free at once when given back', async () => {
    await ((await WriterLease.take(redis, keys, LEASE_MS)) as WriterLease).giveBack();
    expect(await WriterLease.take(redis, keys, LEASE_MS)).toBeDefined();
  });
});

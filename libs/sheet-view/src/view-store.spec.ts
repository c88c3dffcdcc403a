import { randomBytes, randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { WriteLog, type FrozenBatch, type RowValues, type SpreadsheetKeys, type RowsOperation } from '@app/write-log';
import fc from 'fast-check';
import type { SnapshotContent } from './snapshot';
import { ViewStore, type CurrentView } from './view-store';

const PREFIX = `test-view-${randomBytes(6).toString('hex')}-`;
const SHEET_ID = 7;

type Cells = (string | number | boolean)[][];
const contentOf = (cells: Cells): SnapshotContent => ({
  sheetId: SHEET_ID,
  title: 'orders',
  index: 0,
  rowCount: 1_000,
  columnCount: 26,
  cells,
});

const append = (key: string, values: RowValues = {}): RowsOperation => ({
  kind: 'append',
  rows: [{ key, values: { id: key, ...values } }],
});
const patch = (key: string, set: RowValues): RowsOperation => ({ kind: 'patch', key, set });
const remove = (key: string): RowsOperation => ({ kind: 'delete', key });

/** What a fetched sheet contains, in the one epoch of these tests. */
const through = (last: number, epoch = 'e1'): { through: number; epoch: string } => ({ through: last, epoch });

const shown = ({ view }: CurrentView): string => view.rowsJson(0, 1_000);

describe('the view store', () => {
  let redis: RedisClient;
  let other: RedisClient;
  let log: WriteLog;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    other = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await Promise.all([waitUntilReady(redis, 5_000), waitUntilReady(other, 5_000)]);
    log = new WriteLog(redis, PREFIX);
  });
  afterAll(() => Promise.all([closeRedis(redis), closeRedis(other)]));
  afterEach(() => jest.restoreAllMocks());

  let spreadsheetId: string;
  let keys: SpreadsheetKeys;
  let store: ViewStore;
  beforeEach(() => {
    spreadsheetId = randomUUID();
    keys = log.keysOf(spreadsheetId);
    store = new ViewStore(redis, 'id');
  });

  async function accept(operation: RowsOperation, sheetId = SHEET_ID): Promise<number> {
    const result = await log.accept(spreadsheetId, { sheetId, sheetTitle: 'orders', operation });
    if (result.kind !== 'accepted') throw new Error(`not accepted: ${result.kind}`);
    return result.number;
  }

  async function settle(batchNumber: number, first: number, last: number): Promise<void> {
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const id = randomBytes(6).toString('hex');
    const batch: FrozenBatch = {
      number: batchNumber,
      id,
      first,
      last,
      numbers,
      body: { requests: [] },
      numbersByRequest: [],
      attempts: 1,
    };
    await log.settle(keys, batch);
  }

  async function current(of = store): Promise<CurrentView> {
    const found = await of.current(keys, SHEET_ID);
    if (found === undefined) throw new Error('there is no snapshot');
    return found;
  }
  const fresh = (): Promise<CurrentView> => current(new ViewStore(redis, 'id'));

  it('has nothing to show before a snapshot is stored, even if writes are pending', async () => {
    await accept(append('a'));
    expect(await store.current(keys, SHEET_ID)).toBeUndefined();
    await store.store(keys, contentOf([['id']]), through(0), 0);
    expect(shown(await current())).toBe('[{"id":"a"}]');
    expect((await current()).pendingWrites).toBe(1);
  });

  it('refuses a fetch that lacks a batch which the stored snapshot contains: nobody sees his own write vanish', async () => {
    await store.store(keys, contentOf([['id']]), through(0), 0);
    await accept(append('a'));
    await settle(1, 1, 1);
    expect(await store.store(keys, contentOf([['id'], ['a']]), through(1), 0)).toEqual({ storedThrough: 1 });
    expect(await store.store(keys, contentOf([['id']]), through(0), 0)).toEqual({ storedThrough: 1 });
    expect(shown(await current())).toBe('[{"id":"a"}]');
    expect(shown(await fresh())).toBe('[{"id":"a"}]');
  });

  it('takes a sheet that contains less under a new epoch: somebody restored an older version', async () => {
    await store.store(keys, contentOf([['id'], ['a'], ['b']]), through(5), 0);
    expect(await store.store(keys, contentOf([['id'], ['a']]), through(0), 0)).toEqual({ storedThrough: 5 });
    expect(await store.store(keys, contentOf([['id'], ['a']]), through(0, 'e2'), 0)).toEqual({ storedThrough: 0 });
    expect(shown((await store.current(keys, SHEET_ID)) as CurrentView)).toBe('[{"id":"a"}]');
  });

  it('keeps showing a settled write that no snapshot contains yet, and does not show it twice once one does', async () => {
    await store.store(keys, contentOf([['id']]), through(0), 0);
    await accept(append('a'));
    await current();
    await settle(1, 1, 1);
    await store.store(keys, contentOf([['id']]), through(0), 0);
    expect(shown(await current())).toBe('[{"id":"a"}]');
    expect((await current()).pendingWrites).toBe(0);
    await store.store(keys, contentOf([['id'], ['a']]), through(1), 0);
    expect(shown(await current())).toBe('[{"id":"a"}]');
    expect(await redis.hlen(keys.log)).toBe(0);
  });

  it('refuses a fetch that was sent before the stored one, though it contains the same batches', async () => {
    await store.store(keys, contentOf([['id'], ['new']]), through(0), 0);
    await store.store(keys, contentOf([['id'], ['old']]), through(0), 60_000);
    expect(shown(await current())).toBe('[{"id":"new"}]');
  });

  it('keeps the version where a fetch shows nothing new, so that clients get their 304', async () => {
    await store.store(keys, contentOf([['id'], ['a']]), through(0), 0);
    const before = await current();
    await store.store(keys, contentOf([['id'], ['a']]), through(0), 0);
    expect((await current()).version).toBe(before.version);
    expect((await fresh()).version).toBe(before.version);

    await accept(append('b'));
    const pending = await current();
    expect(pending.version).not.toBe(before.version);
    await settle(1, 1, 1);
    await store.store(keys, contentOf([['id'], ['a'], ['b']]), through(1), 0);
    expect((await current()).version).toBe(pending.version);
    expect(shown(await fresh())).toBe('[{"id":"a"},{"id":"b"}]');
  });

  it('gives the snapshot to a process that has missed a write which is trimmed by now, though the base is the same', async () => {
    const slow = new ViewStore(other, 'id');
    await store.store(keys, contentOf([['id']]), through(0), 0);
    await current(slow);
    await accept(append('a'));
    await current();
    await settle(1, 1, 1);
    await store.store(keys, contentOf([['id'], ['a']]), through(1), 0);
    expect(await redis.hlen(keys.log)).toBe(0);
    expect(shown(await current(slow))).toBe('[{"id":"a"}]');
  });

  it('changes the version where a person has changed a cell', async () => {
    await store.store(keys, contentOf([['id', 'n'], ['a']]), through(0), 0);
    const before = await current();
    await store.store(
      keys,
      contentOf([
        ['id', 'n'],
        ['a', 1],
      ]),
      through(0),
      0,
    );
    const after = await current();
    expect(after.version).not.toBe(before.version);
    expect(shown(after)).toBe('[{"id":"a","n":1}]');
  });

  it('shows a write no more that was set aside, to whoever had seen it', async () => {
    await store.store(keys, contentOf([['id']]), through(0), 0);
    const number = await accept(append('bad'));
    await accept(append('good'));
    expect(shown(await current())).toBe('[{"id":"bad"},{"id":"good"}]');
    await log.setAside(keys, 'failed', [{ number, code: 'c', message: 'm' }]);
    expect(shown(await current())).toBe('[{"id":"good"}]');
  });

  it('shows each tab its own writes only', async () => {
    await store.store(keys, contentOf([['id']]), through(0), 0);
    const { version } = await current();
    await accept(append('elsewhere'), SHEET_ID + 1);
    expect(await current()).toMatchObject({ version, pendingWrites: 0 });
  });

  it('says how old the snapshot under the view is, counted from when its fetch was sent', async () => {
    await store.store(keys, contentOf([['id']]), through(0), 5_000);
    const { ageMs } = await current();
    expect(ageMs).toBeGreaterThanOrEqual(5_000);
    expect(ageMs).toBeLessThan(15_000);
  });

  it('remembers what it last showed for when Redis is away', async () => {
    expect(store.remembered(keys, SHEET_ID)).toBeUndefined();
    await store.store(keys, contentOf([['id'], ['a']]), through(0), 0);
    const last = await current();
    expect(store.remembered(keys, SHEET_ID)?.version).toBe(last.version);
  });

  describe('readers who come together', () => {
    /** Watches the questions to Redis; the commands themselves run as they are. */
    /** The script's name on the connection, once it has run. */
    const readSheetCommand = (): string => Object.keys(redis).find((name) => name.startsWith('read-sheet:')) as string;

    function watchReads(): { count: number; most: number } {
      const commands = redis as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const original = commands[readSheetCommand()].bind(redis);
      const watched = { count: 0, most: 0, now: 0 };
      jest.spyOn(commands, readSheetCommand()).mockImplementation((...args) => {
        watched.count += 1;
        watched.most = Math.max(watched.most, ++watched.now);
        return original(...args).finally(() => (watched.now -= 1));
      });
      return watched;
    }

    it('share a round trip: a hundred cost two, not a hundred', async () => {
      await store.store(keys, contentOf([['id'], ['a']]), through(0), 0);
      await current();
      const watched = watchReads();
      const answers = await Promise.all(Array.from({ length: 100 }, () => current()));
      expect(watched.count).toBe(2);
      expect(new Set(answers.map(({ version }) => version)).size).toBe(1);
    });

    it('yet each sees every write that was acknowledged before it came, though a question was under way', async () => {
      await store.store(keys, contentOf([['id']]), through(0), 0);
      const otherLog = new WriteLog(other, PREFIX);
      for (let at = 0; at < 50; at += 1) {
        const early = current();
        const accepting = otherLog.accept(spreadsheetId, {
          sheetId: SHEET_ID,
          sheetTitle: 'orders',
          operation: append(`k${at}`),
        });
        const during = current();
        await accepting;
        const late = await Promise.all([current(), current()]);
        for (const { view } of late) expect(view.row(`k${at}`)).toBeDefined();
        await Promise.all([early, during]);
      }
    });

    it('never ask twice at the same time: two answers laid on one view would show writes in another order', async () => {
      await store.store(keys, contentOf([['id']]), through(0), 0);
      await current();
      const watched = watchReads();
      const afterTicks = async (ticks: number): Promise<void> => {
        for (let at = 0; at < ticks; at += 1) await Promise.resolve();
      };
      for (let ticks = 0; ticks < 24; ticks += 1) {
        const first = current();
        const ping = redis.ping();
        const second = current();
        // Its answer comes with the first one's; the reader then comes in at every possible moment of the change-over.
        const third = ping.then(() => afterTicks(ticks)).then(() => current());
        await Promise.all([first, second, third]);
      }
      expect(watched.most).toBe(1);
    });

    it('are not stuck where one question failed', async () => {
      await store.store(keys, contentOf([['id'], ['a']]), through(0), 0);
      await current();
      const commands = redis as unknown as Record<string, () => Promise<unknown>>;
      jest.spyOn(commands, readSheetCommand()).mockRejectedValueOnce(new Error('Command timed out'));
      const [failed, next] = await Promise.allSettled([current(), current()]);
      expect(failed.status).toBe('rejected');
      expect(next.status).toBe('fulfilled');
      expect(shown(await current())).toBe('[{"id":"a"}]');
    });
  });

  it('shows in every process, whatever it has seen before, what a process shows that starts now, and every acknowledged write', async () => {
    const key = fc.constantFrom('k0', 'k1', 'k2', 'k3');
    const value = fc.constantFrom<string | number | null>('', 0, 1, 'x', null);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('append' as const), key, value) },
      { weight: 4, arbitrary: fc.tuple(fc.constant('patch' as const), key, value) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), key, value) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('send' as const), fc.nat(3)) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('settle' as const)) },
      { weight: 4, arbitrary: fc.tuple(fc.constant('fetch' as const), fc.nat(1)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('lagging fetch' as const), fc.nat(1), fc.nat(50)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('set aside' as const), fc.nat(5)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('person' as const), key, fc.nat(9)) },
      { weight: 8, arbitrary: fc.tuple(fc.constant('read' as const), fc.nat(1)) },
    );

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        spreadsheetId = randomUUID();
        keys = log.keysOf(spreadsheetId);
        const stores = [new ViewStore(redis, 'id'), new ViewStore(other, 'id')];
        const upstream = new PlainSheet([
          ['id', 'a', 'note'],
          ['k0', 'was here', ''],
        ]);
        let accepted: { number: number; operation: RowsOperation }[] = [];
        let sent = 0;
        let settled = 0;
        let batchNumber = 0;
        const fetched = [{ cells: upstream.copy(), through: 0 }];
        const contents = new Map<string, string>();
        await stores[0].store(keys, contentOf(upstream.copy()), through(0), 0);

        const settleSent = async (): Promise<void> => {
          if (sent > settled) await settle(++batchNumber, settled + 1, sent);
          settled = sent;
        };
        const check = async (of: ViewStore): Promise<void> => {
          const [mine, fresh] = [await current(of), await current(new ViewStore(redis, 'id'))];
          expect(shown(mine)).toBe(shown(fresh));
          expect(mine.version).toBe(fresh.version);
          // One version, one content.
          expect(contents.get(mine.version) ?? shown(mine)).toBe(shown(mine));
          contents.set(mine.version, shown(mine));
          // What people write in their own column apart, it is the first sheet with every write that stands.
          const expected = new PlainSheet([
            ['id', 'a', 'note'],
            ['k0', 'was here', ''],
          ]);
          for (const { operation } of accepted) expected.apply(operation);
          expect(withoutNotes(JSON.parse(shown(mine)) as Record<string, unknown>[])).toEqual(expected.rows());
        };

        for (const current of steps) {
          switch (current[0]) {
            case 'append':
            case 'patch':
            case 'delete': {
              const [kind, name, cell] = current;
              const operation =
                kind === 'append' ? append(name, { a: cell }) : kind === 'patch' ? patch(name, { a: cell }) : remove(name);
              const result = await log.accept(spreadsheetId, { sheetId: SHEET_ID, sheetTitle: 'orders', operation });
              if (result.kind === 'accepted') accepted.push({ number: result.number, operation });
              break;
            }
            case 'send': {
              // The upstream has the writes; our log does not know yet.
              if (sent > settled) break;
              const batch = accepted.filter(({ number }) => number > sent).slice(0, current[1]);
              for (const { operation } of batch) upstream.apply(operation);
              sent = batch.at(-1)?.number ?? sent;
              break;
            }
            case 'settle':
              await settleSent();
              break;
            case 'fetch':
              await settleSent();
              fetched.push({ cells: upstream.copy(), through: sent });
              await stores[current[1]].store(keys, contentOf(upstream.copy()), through(sent), 0);
              break;
            case 'lagging fetch': {
              const old = fetched[current[2] % fetched.length];
              await stores[current[1]].store(keys, contentOf(old.cells), through(old.through), 10_000);
              break;
            }
            case 'set aside': {
              const pending = accepted.filter(({ number }) => number > sent);
              const number = pending[current[1] % Math.max(1, pending.length)]?.number;
              if (number === undefined) break;
              await log.setAside(keys, 'failed', [{ number, code: 'c', message: 'm' }]);
              accepted = accepted.filter((write) => write.number !== number);
              break;
            }
            case 'person':
              upstream.note(current[1], current[2]);
              break;
            case 'read':
              await check(stores[current[1]]);
          }
        }
        for (const of of stores) await check(of);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

/** The columns `id`, `a` and `note` as rows of cells; the plainest way to carry out a write. */
class PlainSheet {
  constructor(private readonly cells: Cells) {}

  copy(): Cells {
    return this.cells.map((row) => [...row]);
  }

  note(key: string, value: number): void {
    const row = this.find(key);
    if (row !== undefined) row[2] = value;
  }

  apply(operation: RowsOperation): void {
    if (operation.kind === 'append') {
      for (const { key, values } of operation.rows) {
        if (this.find(key) === undefined) this.cells.push([key, values.a ?? '', '']);
      }
      return;
    }
    const row = this.find(operation.key);
    if (row === undefined) return;
    if (operation.kind === 'delete') this.cells.splice(this.cells.indexOf(row), 1);
    else if (operation.set.a !== null) row[1] = operation.set.a;
  }

  rows(): { id: unknown; a: unknown }[] {
    return this.cells.slice(1).map(([id, a]) => ({ id, a }));
  }

  private find(key: string): Cells[number] | undefined {
    return this.cells.slice(1).find(([id]) => id === key);
  }
}

function withoutNotes(rows: readonly Record<string, unknown>[]): { id: unknown; a: unknown }[] {
  return rows.map(({ id, a }) => ({ id, a }));
}

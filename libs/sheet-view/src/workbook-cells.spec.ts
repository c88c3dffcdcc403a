import { randomBytes, randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady } from '@app/platform';
import { WriteLog, type AcceptResult, type WriteOperation } from '@app/write-log';
import { TabDirectory } from './tab-directory';
import { ViewStore } from './view-store';

describe('the cells of a workbook, accepted writes included', () => {
  const redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
  const log = new WriteLog(redis, `test-cells-${randomBytes(6).toString('hex')}-`, { workbookCellsMax: 1_000 });
  const store = new ViewStore(redis, 'id');
  let spreadsheetId: string;

  beforeAll(() => waitUntilReady(redis, 5_000));
  afterAll(() => closeRedis(redis));
  beforeEach(() => (spreadsheetId = randomUUID()));

  const cells = [['id', 'n'], ['a', 1], ['b', 2]]; // prettier-ignore
  const append = (...keys: string[]): WriteOperation => ({
    kind: 'append',
    rows: keys.map((key) => ({ key, values: { id: key } })),
  });
  const accept = (operation: WriteOperation, sheetId = 0): Promise<AcceptResult> =>
    log.accept(spreadsheetId, { sheetId, sheetTitle: 't', operation });
  const fill = async (): Promise<number | undefined> => (await log.workbookFill(spreadsheetId))?.cells;

  async function snapshot(rowCount: number, shown: (string | number)[][] = cells, through = 0, sheetId = 0): Promise<void> {
    const content = { sheetId, title: `t${sheetId}`, index: sheetId, rowCount, columnCount: 10, cells: shown };
    await store.store(log.keysOf(spreadsheetId), content, { through, epoch: '' }, 0);
  }

  it('are unknown before anybody has looked, and then an append is not refused for them', async () => {
    expect(await fill()).toBeUndefined();
    expect((await accept(append('x'))).kind).toBe('accepted');
  });

  it('do not grow while there are free rows, and then by each row; a row that is deleted again needs none', async () => {
    await snapshot(5);
    await accept(append('c', 'd'));
    expect(await fill()).toBe(50);
    await accept(append('e', 'f'));
    expect(await fill()).toBe(70);
    await accept({ kind: 'delete', key: 'f' });
    expect(await fill()).toBe(60);
  });

  it('grow by each row where rows are inserted above a note', async () => {
    await snapshot(50, [...cells, ['', 'a note']]);
    await accept(append('c', 'd'));
    expect(await fill()).toBe(520);
  });

  it('count every tab, listed or fetched, and forget one that is gone', async () => {
    await snapshot(5);
    await snapshot(5, cells, 0, 1);
    await accept(append('c', 'd', 'e'), 1);
    const tabs = new TabDirectory(redis);
    const listed = (sheetId: number, rowCount: number) => ({
      sheetId,
      title: `t${sheetId}`,
      index: 0,
      rowCount,
      columnCount: 10,
    });
    await tabs.replace(log.keysOf(spreadsheetId), [listed(0, 5), listed(1, 5), listed(2, 20)]);
    expect(await fill()).toBe(50 + 60 + 200);
    await tabs.replace(log.keysOf(spreadsheetId), [listed(0, 5), listed(2, 20)]);
    expect(await fill()).toBe(250);
  });

  it('stay within the limit however many accept at once; what is refused leaves no trace', async () => {
    await snapshot(97);
    await snapshot(3, cells, 0, 1);
    const results = await Promise.all(Array.from({ length: 3 }, (_, n) => accept(append(`x${n}`), 1)));
    expect(results.map(({ kind }) => kind)).toEqual(Array(3).fill('workbook-full'));
    expect(results[0]).toEqual({ kind: 'workbook-full', cells: 1_000, needed: 10, cellsMax: 1_000 });
    expect((await log.receipts(spreadsheetId, { states: ['accepted'], limit: 10 })).receipts).toEqual([]);
    // The other tab still has free rows.
    expect((await accept(append('y'), 0)).kind).toBe('accepted');
  });

  it('keep a failed append from being released into a workbook that is full', async () => {
    await snapshot(5);
    const accepted = await accept(append('c', 'd', 'e'));
    if (accepted.kind !== 'accepted') throw new Error('not accepted');
    await log.setAside(log.keysOf(spreadsheetId), 'failed', [{ number: 1, code: 'x', message: 'y' }]);
    await snapshot(98, cells, 0, 1);
    expect(await log.release({ number: 1, spreadsheetId })).toEqual({
      kind: 'workbook-full',
      cells: 1_030,
      needed: 10,
      cellsMax: 1_000,
    });
    await snapshot(9, cells, 0, 1);
    expect((await log.release({ number: 1, spreadsheetId })).kind).toBe('released');
  });

  it('are told once when they pass 80 %, and again only after they were below', async () => {
    const told = async (key: string): Promise<boolean> => {
      const result = await accept(append(key));
      return result.kind === 'accepted' && result.becomesNearlyFull;
    };
    await snapshot(79);
    await snapshot(3, cells, 0, 1);
    expect(await told('a1')).toBe(true);
    expect(await told('a2')).toBe(false);
    await snapshot(70);
    expect(await told('a3')).toBe(false);
    await snapshot(90);
    expect(await told('a4')).toBe(true);
  });
});

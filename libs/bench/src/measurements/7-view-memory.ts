/** What a view costs in memory beside the estimate that the budget counts with, and whether the budget bounds them. */
import { startPrivateRedis } from '@app/local-stack';
import { closeRedis, connectRedis } from '@app/platform';
import { ViewStore, type SnapshotContent } from '@app/sheet-view';
import { WriteLog } from '@app/write-log';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Figure, Measurement } from '../measurement';

const COLUMNS = 10;
const BUDGET_BYTES = 32 * 1024 * 1024;
const SHEETS_IN_BUDGET_TEST = 60;

export const viewMemory: Measurement = {
  number: 7,
  title: 'memory of views',
  async measure(bench) {
    const redis = bench.keep(await startPrivateRedis());
    const client = connectRedis(redis.url, 'worker');
    bench.keep({ stop: () => closeRedis(client) });
    const log = new WriteLog(client, 'bench');
    const keys = log.keysOf('bench');
    const filler = new ViewStore(client, 'id', undefined, 1);
    const contains = { through: 0, epoch: 'e' };
    const figures: Figure[] = [];

    for (const rows of bench.scale.rows) {
      const views = Math.max(1, Math.min(20, Math.floor(20_000 / rows)));
      for (let sheetId = 0; sheetId < views; sheetId += 1) await filler.store(keys, contentOf(sheetId, rows), contains, 0);
      const store = new ViewStore(client, 'id', undefined, Number.MAX_SAFE_INTEGER);
      const before = bytesInUse();
      for (let sheetId = 0; sheetId < views; sheetId += 1)
        (await store.current(keys, sheetId))?.view.page(0, Number.MAX_SAFE_INTEGER);
      const measured = (bytesInUse() - before) / views;
      const estimated = store.memory.bytes / views;
      figures.push({
        what: `memory of the view of ${rows} rows (the budget counts ${megabytes(estimated)})`,
        result: megabytes(measured),
        details: { measured, estimated, views },
      });
    }

    const bounded = new ViewStore(client, 'id', undefined, BUDGET_BYTES);
    for (let sheetId = 0; sheetId < SHEETS_IN_BUDGET_TEST; sheetId += 1) {
      await filler.store(keys, contentOf(sheetId, 1_000), contains, 0);
      await bounded.current(keys, sheetId);
    }
    const { views, bytes } = bounded.memory;
    figures.push({
      what: `views kept of ${SHEETS_IN_BUDGET_TEST} sheets of 1,000 rows within a budget of ${megabytes(BUDGET_BYTES)}`,
      result: `${views}, ${megabytes(bytes)}`,
      target: `<= ${megabytes(BUDGET_BYTES)}`,
      met: bytes <= BUDGET_BYTES,
    });
    return figures;
  },
};

function contentOf(sheetId: number, rows: number): SnapshotContent {
  const header = ['id', ...Array.from({ length: COLUMNS - 1 }, (_, index) => `c${index + 1}`)];
  const cells = Array.from({ length: rows }, (_, row) =>
    header.map((name, column) => (column % 3 === 1 ? row * column : `${name}-${sheetId}-${row}`)),
  );
  return { sheetId, title: `s${sheetId}`, index: 0, rowCount: rows + 1, columnCount: COLUMNS, cells: [header, ...cells] };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}

/** After a garbage collection, which Node offers under a flag only. */
function bytesInUse(): number {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

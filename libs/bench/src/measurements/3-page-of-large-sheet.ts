/** A page of 50 rows out of the middle of a large sheet, beside one out of a sheet of 1,000. */
import { rowsPath, startDegradedGateway } from '../degraded-gateway';
import { alternate, ratio } from '../load/alternate';
import type { Measurement } from '../measurement';

const SMALL = 1_000;
const MOST = 1.2;

export const pageOfLargeSheet: Measurement = {
  number: 3,
  title: 'page of 50 rows by size of the sheet',
  async measure(bench) {
    const { largeRows, connections } = bench.scale;
    const { gateway, port } = await startDegradedGateway(bench, [SMALL, largeRows]);
    const side = (rows: number) => ({
      name: `${rows} rows`,
      pid: gateway.pid,
      request: {
        port,
        method: 'GET' as const,
        path: `${rowsPath(rows)}?limit=50&offset=${rows / 2}`,
        connections,
        status: 200,
      },
    });
    const [small, large] = await alternate(bench.load, [side(SMALL), side(largeRows)], bench.scale);
    const value = ratio(small, large);
    return [
      {
        what: `page of 50 rows: time from ${largeRows} rows : from ${SMALL}`,
        result: `${value.toFixed(2)} x`,
        target: `<= ${MOST} x`,
        met: value <= MOST,
        details: { small, large },
      },
    ];
  },
};

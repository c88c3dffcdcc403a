/** The same read beside the case study's own algorithm in the same stack, by rows and by pending writes. */
import { read, rowsPath, startDegradedGateway } from '../degraded-gateway';
import { alternate, ratio } from '../load/alternate';
import { ratioFigure, type Figure, type Measurement } from '../measurement';
import { startServer } from '../servers/start-server';

const LEAST: Readonly<Record<number, number>> = { 100: 5, 10_000: 50 };

/** A read of megabytes by every one of 64 clients would measure the machine's memory. */
const CONNECTIONS_OF_LARGE = 4;

export const readBesideCaseStudy: Measurement = {
  number: 2,
  title: 'degraded read beside the case study’s algorithm',
  async measure(bench) {
    const { rows, pendings } = bench.scale;
    const { redis, client, gateway, port } = await startDegradedGateway(bench, rows);
    const caseStudy = bench.keep(await startServer('case-study', redis.url));
    const figures: Figure[] = [];
    for (const count of rows) {
      const path = rowsPath(count);
      const body = (await (await read(gateway, path)).json()) as { rows: unknown[] };
      await client.set('bench:snapshot', JSON.stringify(body.rows));
      await client.del('bench:buffer');
      let pending = 0;
      for (const wanted of pendings) {
        for (; pending < wanted; pending += 1) {
          const row = { id: `P-${pending}`, c1: pending, c2: 'pending' };
          const headers = { 'content-type': 'application/json' };
          const accepted = await fetch(gateway.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(row) });
          if (accepted.status !== 202) throw new Error(`expected 202, got ${accepted.status}: ${await accepted.text()}`);
          await client.rpush('bench:buffer', JSON.stringify(row));
        }
        const connections = count > 1_000 ? CONNECTIONS_OF_LARGE : bench.scale.connections;
        const [ours, theirs] = await alternate(
          bench.load,
          [
            { name: 'gateway', pid: gateway.pid, request: { port, method: 'GET', path, connections, status: 200 } },
            {
              name: 'case study',
              pid: caseStudy.pid,
              request: { port: caseStudy.port, method: 'GET', path: '/rows', connections, status: 200 },
            },
          ],
          bench.scale,
        );
        const what = `whole sheet of ${count} rows, ${wanted} pending : the case study’s algorithm`;
        const value = ratio(ours, theirs);
        const least = LEAST[count];
        figures.push(
          least === undefined
            ? { what, result: `${value.toFixed(2)} x`, details: { ours, theirs } }
            : ratioFigure(what, value, least, { ours, theirs }),
        );
        bench.progress(`${what}: ${value.toFixed(2)} x`);
      }
    }
    return figures;
  },
};

/** A degraded read of a whole sheet of 100 rows, beside bare Fastify that does one GET of the same bytes from the same Redis. */
import { read, rowsPath, startDegradedGateway } from '../degraded-gateway';
import { alternate, ratio } from '../load/alternate';
import { ratioFigure, type Measurement } from '../measurement';
import { startServer } from '../servers/start-server';

const ROWS = 100;

export const readBesideGet: Measurement = {
  number: 1,
  title: 'degraded read of 100 rows beside bare Fastify + one GET',
  async measure(bench) {
    const { redis, client, gateway, port } = await startDegradedGateway(bench, [ROWS]);
    await client.set('bench:body', await (await read(gateway, rowsPath(ROWS))).text());
    const bare = bench.keep(await startServer('bare-get', redis.url));
    const { connections } = bench.scale;
    const [ours, theirs] = await alternate(
      bench.load,
      [
        { name: 'gateway', pid: gateway.pid, request: { port, method: 'GET', path: rowsPath(ROWS), connections, status: 200 } },
        { name: 'bare', pid: bare.pid, request: { port: bare.port, method: 'GET', path: '/body', connections, status: 200 } },
      ],
      bench.scale,
    );
    return [ratioFigure('whole sheet of 100 rows, degraded : bare Fastify + GET', ratio(ours, theirs), 1, { ours, theirs })];
  },
};

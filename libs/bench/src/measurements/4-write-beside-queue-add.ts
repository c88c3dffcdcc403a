/** An accepted write (202) beside a bare `queue.add` of the same payload: both over HTTP, in the same stack, on the same Redis. */
import { rowsPath, startDegradedGateway } from '../degraded-gateway';
import { alternate, ratio } from '../load/alternate';
import { ratioFigure, type Measurement } from '../measurement';
import { startServer } from '../servers/start-server';

const ROWS = 100;
const BODY = JSON.stringify({ id: 'W-{n}', c1: 1, c2: 'a value of some length', c3: 'another', c4: 12.5, c5: true });

export const writeBesideQueueAdd: Measurement = {
  number: 4,
  title: 'accepted write beside bare queue.add',
  async measure(bench) {
    const { redis, gateway, port } = await startDegradedGateway(bench, [ROWS]);
    const bare = bench.keep(await startServer('queue-add', redis.url));
    const shared = { method: 'POST' as const, body: BODY, connections: bench.scale.connections, status: 202 };
    const [ours, theirs] = await alternate(
      bench.load,
      [
        { name: 'gateway', pid: gateway.pid, request: { ...shared, port, path: rowsPath(ROWS) } },
        { name: 'queue.add', pid: bare.pid, request: { ...shared, port: bare.port, path: '/writes' } },
      ],
      bench.scale,
    );
    return [ratioFigure('accepted write : bare queue.add (appendfsync always)', ratio(ours, theirs), 0.7, { ours, theirs })];
  },
};

/** What a backlog costs upstream, and how long it takes: writes accepted while no drain runs, then one drain at 300 calls a minute. */
import { startApp, startPrivateRedis, type App } from '@app/local-stack';
import { monotonicMs, waitFor } from '@app/platform';
import { read } from '../degraded-gateway';
import type { Measurement } from '../measurement';

const CALLS_PER_1000_MAX = 4;
const SECONDS_MAX = 40;
const PATH = '/sheets/orders/rows';
const PATIENCE_MS = 180_000;

export const drain: Measurement = {
  number: 5,
  title: 'draining a backlog',
  async measure(bench) {
    const { backlogWrites, connections } = bench.scale;
    const redis = bench.keep(await startPrivateRedis());
    const mock = bench.keep(await startApp({ name: 'sheets-mock' }));
    const env = { REDIS_URL: redis.url, UPSTREAM_BASE_URL: mock.baseUrl };
    const api = bench.keep(await startApp({ name: 'gateway', env: { ...env, ROLE: 'api' } }));
    // As in the case: readers use up the direct half.
    while ((await read(api, `${PATH}?limit=1`)).headers.get('x-system-degraded') !== 'true');
    await bench.load.run({
      port: Number(new URL(api.baseUrl).port),
      method: 'POST',
      path: PATH,
      body: JSON.stringify({ id: 'B-{n}', customer: 'somebody', quantity: 3 }),
      connections,
      requests: backlogWrites,
      status: 202,
    });
    bench.progress(`${backlogWrites} writes are accepted; the drain starts`);
    const before = await writeCalls(mock);
    bench.keep(await startApp({ name: 'gateway', env: { ...env, ROLE: 'drain' } }));
    const beganMs = monotonicMs();
    await waitFor('an empty backlog', () => isPersisted(api), { timeoutMs: PATIENCE_MS, everyMs: 250 });
    const seconds = (monotonicMs() - beganMs) / 1_000;
    const calls = (await writeCalls(mock)) - before;
    const per1000 = (calls * 1_000) / backlogWrites;
    return [
      {
        what: `upstream calls per 1,000 of ${backlogWrites} buffered writes`,
        result: per1000.toFixed(2),
        target: `<= ${CALLS_PER_1000_MAX}`,
        met: per1000 <= CALLS_PER_1000_MAX,
        details: { calls },
      },
      {
        what: `${backlogWrites} buffered writes persisted, at 300 calls a minute`,
        result: `${seconds.toFixed(1)} s`,
        target: `<= ${SECONDS_MAX} s`,
        met: seconds <= SECONDS_MAX,
      },
    ];
  },
};

async function isPersisted(api: App): Promise<boolean> {
  return (await read(api, `${PATH}?limit=1`)).headers.get('x-pending-writes') === '0';
}

async function writeCalls(mock: App): Promise<number> {
  const { calls } = (await (await fetch(`${mock.baseUrl}/control/calls`)).json()) as { calls: { kind: string }[] };
  return calls.filter(({ kind }) => kind === 'write').length;
}

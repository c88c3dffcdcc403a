/** Redis, mock and a gateway that stays degraded: what the measurements of reads and accepted writes ask. */
import { startApp, startPrivateRedis, type App, type PrivateRedis } from '@app/local-stack';
import { connectRedis, closeRedis } from '@app/platform';
import type { Redis } from 'ioredis';
import type { Bench } from './measurement';

export interface DegradedGateway {
  readonly redis: PrivateRedis;
  readonly client: Redis;
  readonly mock: App;
  readonly gateway: App;
  readonly port: number;
}

const COLUMNS = 10;
/** Few requests a body: the mock reads it whole. */
const ROWS_PER_CALL = 5_000;
const SPREADSHEET = '/v4/spreadsheets/mock-spreadsheet';

export function sheetName(rows: number): string {
  return `rows-${rows}`;
}

export function rowsPath(rows: number): string {
  return `/sheets/${sheetName(rows)}/rows`;
}

export async function startDegradedGateway(bench: Bench, rows: readonly number[]): Promise<DegradedGateway> {
  const redis = bench.keep(await startPrivateRedis());
  const mock = bench.keep(await startApp({ name: 'sheets-mock' }));
  for (const count of rows) await makeSheet(mock, count);
  const client = connectRedis(redis.url, 'worker');
  bench.keep({ stop: () => closeRedis(client) });
  const gateway = bench.keep(
    await startApp({
      name: 'gateway',
      env: {
        REDIS_URL: redis.url,
        UPSTREAM_BASE_URL: mock.baseUrl,
        ROLE: 'api',
        // Used up by a few reads, and for longer than any measurement takes.
        QUOTA_LIMIT: '30',
        QUOTA_WINDOW_MS: '600000',
        UPSTREAM_TIMEOUT_MS: '120000',
      },
    }),
  );
  bench.progress('the gateway reads each sheet once, then uses up the direct half of its quota');
  for (const count of rows) await read(gateway, `${rowsPath(count)}?limit=1`);
  while ((await read(gateway, `${rowsPath(rows[0])}?limit=1`)).headers.get('x-system-degraded') !== 'true');
  return { redis, client, mock, gateway, port: Number(new URL(gateway.baseUrl).port) };
}

export async function read(gateway: App, path: string): Promise<Response> {
  const response = await fetch(gateway.baseUrl + path);
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function makeSheet(mock: App, rows: number): Promise<void> {
  const gridProperties = { rowCount: rows + 1, columnCount: COLUMNS };
  const properties = { title: sheetName(rows), gridProperties };
  await expectOk(`${mock.baseUrl}${SPREADSHEET}:batchUpdate`, 'POST', { requests: [{ addSheet: { properties } }] });
  for (let first = 0; first <= rows; first += ROWS_PER_CALL) {
    const last = Math.min(rows, first + ROWS_PER_CALL - 1);
    const values = Array.from({ length: last - first + 1 }, (_, index) => rowOf(first + index));
    const range = `'${sheetName(rows)}'!A${first + 1}:J${last + 1}`;
    const url = `${mock.baseUrl}${SPREADSHEET}/values/${encodeURIComponent(range)}?valueInputOption=RAW`;
    await expectOk(url, 'PUT', { values });
  }
}

/** Row 0 is the header. About 100 bytes a row as JSON without the names. */
function rowOf(number: number): (string | number)[] {
  if (number === 0) return ['id', ...Array.from({ length: COLUMNS - 1 }, (_, index) => `c${index + 1}`)];
  const cells = Array.from({ length: COLUMNS - 1 }, (_, index) =>
    index % 3 === 0 ? number * (index + 1) : `v${number}-${index}`,
  );
  return [`R-${number}`, ...cells];
}

async function expectOk(url: string, method: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'X-Mock-Uncounted': '1' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
}

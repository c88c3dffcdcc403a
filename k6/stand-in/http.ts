/**
 * Stands in for the module `k6/http` in the tests: what the scripts use of it. Real requests, made by a worker, for whose answer
 * this thread waits; so the server must not live on this thread.
 */
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { record, type Tags } from './samples.ts';

interface ExpectedStatuses {
  ranges: readonly { min: number; max: number }[];
}
interface Params {
  headers?: Record<string, string>;
  tags?: Tags;
  timeout?: string | number;
  responseCallback?: ExpectedStatuses;
}
interface WorkerAnswer {
  status: number;
  headers: [string, string][];
  body: string | null;
  error: string;
  durationMs: number;
}

/** As in k6. */
const TIMEOUT_MS = 60_000;
/** The worker keeps the deadline; this thread waits a little longer for it to say so. */
const WORKER_GRACE_MS = 5_000;

const { port1: port, port2: workerPort } = new MessageChannel();
const answered = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(join(__dirname, 'http-worker.mjs'), {
  workerData: { port: workerPort, answered },
  transferList: [workerPort],
});
worker.unref();
port.unref();

/** The runner's last act: nothing of the stand-in may keep the process. */
export const endWorker = (): Promise<number> => worker.terminate();

let expectedByDefault = expectedStatuses({ min: 200, max: 399 });

function expectedStatuses(...statuses: (number | { min: number; max: number })[]): ExpectedStatuses {
  return { ranges: statuses.map((status) => (typeof status === 'number' ? { min: status, max: status } : status)) };
}

/** k6 spells names of headers as Go does: `ETag` becomes `Etag`. A script that expects another spelling finds nothing. */
const asInGo = (name: string) => name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

function milliseconds(timeout: string | number): number {
  if (typeof timeout === 'number') return timeout;
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(timeout) ?? [];
  if (amount === undefined || unit === undefined) throw new Error(`not a duration: '${timeout}'`);
  return Number(amount) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
}

function request(method: string, url: string, body: string | null = null, params: Params = {}) {
  const timeoutMs = milliseconds(params.timeout ?? TIMEOUT_MS);
  Atomics.store(answered, 0, 0);
  port.postMessage({ method, url, headers: params.headers ?? {}, body, timeoutMs });
  Atomics.wait(answered, 0, 0, timeoutMs + WORKER_GRACE_MS);
  const answer = receiveMessageOnPort(port)?.message as WorkerAnswer | undefined;
  if (!answer) throw new Error(`the stand-in's worker did not answer for ${method} ${url}`);

  const expected = (params.responseCallback ?? expectedByDefault).ranges.some(
    ({ min, max }) => answer.status >= min && answer.status <= max,
  );
  const tags = {
    method,
    status: String(answer.status),
    name: url,
    expected_response: String(expected),
    ...params.tags,
  };
  record('http_reqs', 1, tags);
  record('http_req_duration', answer.durationMs, tags);
  record('http_req_failed', !expected, tags);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers.map(([name, value]) => [asInGo(name), value])),
    body: answer.body,
    error: answer.error,
    json: (): unknown => JSON.parse(answer.body ?? ''),
  };
}

export default {
  expectedStatuses,
  setResponseCallback: (expected: ExpectedStatuses): void => {
    expectedByDefault = expected;
  },
  request,
  get: (url: string, params?: Params) => request('GET', url, null, params),
  post: (url: string, body?: string | null, params?: Params) => request('POST', url, body, params),
  patch: (url: string, body?: string | null, params?: Params) => request('PATCH', url, body, params),
  del: (url: string, body?: string | null, params?: Params) => request('DELETE', url, body, params),
};

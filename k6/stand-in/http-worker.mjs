/**
 * Does the requests of the stand-in for `k6/http` on a thread of its own, so that the thread which runs the script can wait for
 * the answer, as k6's scripts do.
 */
import { workerData } from 'node:worker_threads';

const { port, answered } = workerData;

port.on('message', async ({ method, url, headers, body, timeoutMs }) => {
  const startedMs = performance.now();
  let answer;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    answer = { status: response.status, headers: [...response.headers], body: await response.text(), error: '' };
  } catch (error) {
    answer = { status: 0, headers: [], body: null, error: String(error.cause ?? error) };
  }
  port.postMessage({ ...answer, durationMs: performance.now() - startedMs });
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});

/**
 * `node healthcheck.mjs URL`: exits 0 if URL answers 2xx in time, else 1 with one line that says why (shown by
 * `docker inspect`). The slim image has neither curl nor wget; Node is there.
 */

/** Below the time-out of the container's health check, so that the line is still printed. */
const TIMEOUT_MS = 2_500;

const [url] = process.argv.slice(2);
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) console.error(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './monotonic';

/** Waits `durationMs`, or less if `signal` ends it. Never throws. */
export async function pause(durationMs: number, signal?: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Asks `condition` until it gives something other than `undefined` or false, every `everyMs`.
 * Throws after `timeoutMs`, naming `what` it waited for.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 10_000, everyMs = 25 } = {},
): Promise<T> {
  const deadline = monotonicMs() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (monotonicMs() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await pause(everyMs);
  }
}

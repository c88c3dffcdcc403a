/** Stands in for the module `k6` in the tests: what the scripts use of it. */
import type * as K6 from 'k6';
import { record, type Tags } from './samples.ts';

export const checksMissed: string[] = [];

export function check<T>(value: T, checkers: Record<string, (value: T) => boolean>, tags: object = {}): boolean {
  const results = Object.entries(checkers).map(([description, holds]) => {
    const held = holds(value);
    record('checks', held, { check: description, ...(tags as Tags) });
    if (!held) checksMissed.push(description);
    return held;
  });
  return results.every(Boolean);
}

export function fail(message = ''): never {
  throw new Error(message);
}

/** Truly sleeps, and blocks the thread, as in k6. */
export function sleep(seconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
}

({ check, fail, sleep }) satisfies Pick<typeof K6, 'check' | 'fail' | 'sleep'>;

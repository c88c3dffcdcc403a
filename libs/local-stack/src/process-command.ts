import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The command line of a running process, undefined where there is none: a process id from a file may by now belong to somebody
 * else, so that it alone is never a reason to end a process.
 */
export function commandOf(pid: number): string | undefined {
  try {
    // Empty for a process that has ended and was not yet waited for.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || undefined;
  } catch {
    // Not Linux, or no such process.
  }
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

/**
 * A data folder says which server works on it, so that one whose starter was killed is found again: two servers on one
 * append-only file would destroy it.
 */
import { readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@app/platform';
import { commandOf } from './process-command';

interface ServerRecord {
  readonly pid: number;
  readonly port: number;
}

/** Longer than a server takes to write the end of its log. */
const END_TIMEOUT_MS = 15_000;

const fileIn = (directory: string): string => join(directory, 'private-redis.json');

export function recordServer(directory: string, record: ServerRecord): void {
  writeFileSync(fileIn(directory), JSON.stringify(record));
}

/** Unless another has taken its place. */
export function forgetServer(directory: string, pid: number): void {
  if (readRecord(directory)?.pid === pid) rmSync(fileIn(directory), { force: true });
}

/** Ends the server that was left behind on this folder, if there is one and it is certain to be that. */
export async function endLeftoverServer(directory: string): Promise<void> {
  const record = readRecord(directory);
  if (record === undefined) return;
  const runs = (): boolean => isServerOf(directory, record);
  if (runs()) {
    process.kill(record.pid, 'SIGTERM');
    await waitFor(`the end of the Redis that was left behind (process ${record.pid})`, () => !runs(), {
      timeoutMs: END_TIMEOUT_MS,
    });
  }
  forgetServer(directory, record.pid);
}

function readRecord(directory: string): ServerRecord | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(directory), 'utf8')) as ServerRecord;
  } catch {
    return undefined;
  }
}

/** Redis shows its port in its command line; where the system tells the folder that a process works in, that counts too. */
function isServerOf(directory: string, { pid, port }: ServerRecord): boolean {
  const command = commandOf(pid);
  if (command === undefined || !/\b(redis|valkey)-server\b/.test(command) || !new RegExp(`\\b${port}\\b`).test(command))
    return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return true;
  }
}

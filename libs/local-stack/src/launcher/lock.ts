/**
 * One launcher per data folder. The folder holds a note of who runs there and of the children; one whose writer is gone tells
 * which children may still be ending, and how to be sure that a process is one of them.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../process-command';
import { LaunchProblem } from './problem';

export interface LaunchedChild {
  readonly name: string;
  readonly pid: number;
  readonly script: string;
}

interface Note {
  readonly pid: number;
  readonly command: string;
  readonly children: readonly LaunchedChild[];
}

export interface LaunchLock {
  /** Children of a launcher that was killed, still running. */
  readonly leftBehind: readonly LaunchedChild[];
  add(child: LaunchedChild): void;
  release(): void;
}

export function takeLaunchLock(directory: string): LaunchLock {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'npm-start.json');
  const draft = `${file}.${process.pid}`;
  const children: LaunchedChild[] = [];
  const write = (publish: (from: string, to: string) => void): void => {
    const note: Note = { pid: process.pid, command: commandOf(process.pid) ?? '', children };
    writeFileSync(draft, JSON.stringify(note));
    publish(draft, file);
  };
  const before = readNote(file);
  if (before !== undefined) {
    if (commandOf(before.pid) === before.command) throw alreadyRuns(before.pid);
    rmSync(file, { force: true });
  }
  try {
    // A link is made whole or not at all: of two launchers at the same moment, one is told.
    write(linkSync);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyRuns(readNote(file)?.pid) : error;
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    leftBehind: (before?.children ?? []).filter(isRunning),
    add: (child) => {
      children.push(child);
      write(renameSync);
    },
    release: () => rmSync(file, { force: true }),
  };
}

export function isRunning({ pid, script }: LaunchedChild): boolean {
  return commandOf(pid)?.includes(script) ?? false;
}

function alreadyRuns(pid: number | undefined): LaunchProblem {
  return new LaunchProblem(
    `already running on this data folder${pid === undefined ? '' : ` (process ${pid})`}: end it there with Ctrl-C first.`,
  );
}

function readNote(file: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note;
  } catch {
    return undefined;
  }
}

import type { ParseArgsConfig } from 'node:util';
import type { Gateway } from './operator-client';

export type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

export type Options = Readonly<Record<string, string | boolean | undefined>>;

export interface Invocation {
  readonly gateway: Gateway;
  readonly options: Options;
  readonly operands: readonly string[];
  /** Says how far a command has come: on standard error, so that what it prints can be read by a program. */
  readonly progress: (sentence: string) => void;
}

/** What a command came to: shown as lines for people, as it is with --json. */
export interface Outcome {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** False: it did not come to its end in the time given. */
  readonly finished?: boolean;
}

export interface Command {
  readonly words: string;
  readonly operands?: readonly string[];
  readonly summary: string;
  readonly options?: OptionsConfig;
  readonly help?: readonly string[];
  run(invocation: Invocation): Promise<Outcome>;
}

/** The command was given in a way that it does not understand. */
export class WrongUsage extends Error {}

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

export function age(iso: string): string {
  return duration(Date.now() - Date.parse(iso));
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

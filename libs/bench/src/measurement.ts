import type { Load } from './load/load';
import type { Rounds } from './load/alternate';

/** One line of the table. */
export interface Figure {
  readonly what: string;
  /** As printed: a ratio, a time, bytes. */
  readonly result: string;
  /** As printed; absent: reported only. */
  readonly target?: string;
  readonly met?: boolean;
  /** Numbers behind the result, for `--json`. */
  readonly details?: unknown;
}

export interface Scale extends Rounds {
  readonly rows: readonly number[];
  /** Rows of the large sheet of measurement 3. */
  readonly largeRows: number;
  readonly pendings: readonly number[];
  readonly backlogWrites: number;
  readonly connections: number;
}

export interface Bench {
  readonly load: Load;
  readonly scale: Scale;
  /** Whatever is given here is stopped at the end of the measurement, the last one first. */
  readonly keep: <T extends { stop(): unknown }>(part: T) => T;
  readonly progress: (line: string) => void;
}

export interface Measurement {
  readonly number: number;
  readonly title: string;
  measure(bench: Bench): Promise<Figure[]>;
}

export const FULL: Scale = {
  rows: [100, 1_000, 10_000, 100_000],
  largeRows: 100_000,
  pendings: [0, 100, 1_000],
  backlogWrites: 10_000,
  connections: 64,
  rounds: 7,
  roundMs: 4_000,
};

/** Two to three minutes in all. */
export const QUICK: Scale = {
  ...FULL,
  rows: [100, 1_000, 10_000],
  largeRows: 10_000,
  pendings: [0, 1_000],
  backlogWrites: 2_000,
  rounds: 3,
  roundMs: 1_000,
};

export function ratioFigure(what: string, value: number, least: number, details?: unknown): Figure {
  return { what, result: `${value.toFixed(2)} x`, target: `>= ${least} x`, met: value >= least, details };
}

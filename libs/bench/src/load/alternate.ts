/** Two or more servers under the same load in alternating rounds (A B A B ...), so that a busy moment of the machine meets all. */
import { readFileSync } from 'node:fs';
import type { Load } from './load';
import type { LoadRequest } from './protocol';

export interface Side {
  readonly name: string;
  readonly request: LoadRequest;
  /** The server's process, for its processor time. */
  readonly pid?: number;
}

export interface SideResult {
  readonly name: string;
  /** Medians over the rounds. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server per request; undefined where the system does not tell. */
  readonly cpuMicroseconds?: number;
  readonly rounds: readonly number[];
}

export interface Rounds {
  readonly rounds: number;
  readonly roundMs: number;
}

export async function alternate(load: Load, sides: readonly Side[], { rounds, roundMs }: Rounds): Promise<SideResult[]> {
  const seen = sides.map(() => ({ perSecond: [] as number[], p50: [] as number[], p99: [] as number[], cpu: [] as number[] }));
  // The first round of each warms up and does not count.
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, { request, pid }] of sides.entries()) {
      const before = cpuSeconds(pid);
      const result = await load.run({ ...request, durationMs: round < 0 ? Math.min(roundMs, 1_000) : roundMs });
      const after = cpuSeconds(pid);
      if (round < 0) continue;
      seen[index].perSecond.push(result.requests / result.seconds);
      seen[index].p50.push(result.p50);
      seen[index].p99.push(result.p99);
      if (before !== undefined && after !== undefined) seen[index].cpu.push(((after - before) * 1e6) / result.requests);
    }
  }
  return seen.map(({ perSecond, p50, p99, cpu }, index) => ({
    name: sides[index].name,
    perSecond: median(perSecond),
    p50: median(p50),
    p99: median(p99),
    ...(cpu.length === 0 ? {} : { cpuMicroseconds: median(cpu) }),
    rounds: perSecond,
  }));
}

/** Of the ratios of each pair of rounds: one disturbed round moves it less than a mean. */
export function ratio(one: SideResult, other: SideResult): number {
  return median(one.rounds.map((perSecond, round) => perSecond / other.rounds[round]));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

function cpuSeconds(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

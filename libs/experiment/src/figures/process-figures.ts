/** What the gateway's process used, told apart by the mode in which its answers were given. */
import type { ProcessSample } from '../stage/process-sampler';

export type Mode = 'direct' | 'degraded';

export interface ProcessPoint {
  readonly atMs: number;
  /** Of one core, since the point before. */
  readonly cpuPercent: number;
  readonly residentBytes: number;
  readonly mode?: Mode;
}

export interface ModeUse {
  readonly mode: Mode;
  readonly seconds: number;
  readonly answers: number;
  /** Of one core. */
  readonly cpuPercentMean: number;
  readonly cpuPercentMax: number;
  /** Whatever the process did in that time, shared out among its answers: the drain included. */
  readonly cpuMsPerAnswer: number;
  readonly residentBytesMean: number;
  readonly residentBytesMax: number;
}

interface Answer {
  readonly kind: 'read' | 'write';
  readonly doneMs: number;
  readonly degraded?: boolean;
}

interface Interval extends ProcessPoint {
  readonly durationMs: number;
  readonly cpuMs: number;
  readonly answers: number;
}

/**
 * The mode is what the reads say: in the stage `reads`, writes are direct in either. An interval whose reads are of both modes counts
 * for neither; one without a read is in the mode of the one before.
 */
function intervalsOf(samples: readonly ProcessSample[], answers: readonly Answer[]): readonly Interval[] {
  let last: Mode = 'direct';
  return samples.slice(1).map((sample, at) => {
    const before = samples[at];
    const durationMs = sample.atMs - before.atMs;
    const given = answers.filter(({ doneMs }) => doneMs > before.atMs && doneMs <= sample.atMs);
    const reads = given.filter(({ kind }) => kind === 'read');
    const degraded = reads.filter((answer) => answer.degraded === true).length;
    const isMixed = degraded > 0 && degraded < reads.length;
    if (reads.length > 0 && !isMixed) last = degraded > 0 ? 'degraded' : 'direct';
    const cpuMs = sample.cpuMs - before.cpuMs;
    return {
      atMs: sample.atMs,
      durationMs,
      cpuMs,
      cpuPercent: (100 * cpuMs) / durationMs,
      residentBytes: sample.residentBytes,
      answers: given.length,
      mode: isMixed ? undefined : last,
    };
  });
}

/**
 * For a curve: the looks of each stretch of `everyMs` together, since the kernel's ticks make single ones jump.
 * @param answers of the load, with times that begin where those of the samples do
 */
export function processPoints(
  samples: readonly ProcessSample[],
  answers: readonly Answer[],
  everyMs: number,
): readonly ProcessPoint[] {
  const sparse: ProcessSample[] = [];
  for (const sample of samples) if (sparse.length === 0 || sample.atMs >= sparse.length * everyMs) sparse.push(sample);
  return intervalsOf(sparse, answers).map(({ atMs, cpuPercent, residentBytes, mode }) => ({
    atMs,
    cpuPercent,
    residentBytes,
    mode,
  }));
}

export function usesByMode(samples: readonly ProcessSample[], answers: readonly Answer[]): readonly ModeUse[] {
  const intervals = intervalsOf(samples, answers);
  return (['direct', 'degraded'] as const).flatMap((mode) => {
    const those = intervals.filter((interval) => interval.mode === mode);
    if (those.length === 0) return [];
    const sum = (of: (interval: Interval) => number): number => those.reduce((total, interval) => total + of(interval), 0);
    const most = (of: (interval: Interval) => number): number => Math.max(...those.map(of));
    const [durationMs, cpuMs, count] = [sum((i) => i.durationMs), sum((i) => i.cpuMs), sum((i) => i.answers)];
    return [
      {
        mode,
        seconds: durationMs / 1_000,
        answers: count,
        cpuPercentMean: (100 * cpuMs) / durationMs,
        cpuPercentMax: most((i) => i.cpuPercent),
        cpuMsPerAnswer: count === 0 ? NaN : cpuMs / count,
        residentBytesMean: sum((i) => i.residentBytes) / those.length,
        residentBytesMax: most((i) => i.residentBytes),
      },
    ];
  });
}

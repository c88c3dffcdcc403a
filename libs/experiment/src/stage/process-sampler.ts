/** Processor time and memory of a process, looked at every so often, from /proc: nothing has to be built into the process for it. */
import { readFile } from 'node:fs/promises';
import { monotonicMs, pause } from '@app/platform';

export interface ProcessSample {
  /** Since the sampler was started. */
  readonly atMs: number;
  /** Used since the process began, in user and kernel mode. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** The kernel counts in ticks of a hundredth of a second on every Linux that Node runs on. */
const TICK_MS = 10;

export class ProcessSampler {
  readonly samples: ProcessSample[] = [];
  /** Why there are none. */
  unavailable?: string;
  private startMs = 0;

  constructor(
    private readonly pid: number,
    private readonly everyMs: number,
  ) {}

  async run(over: AbortSignal): Promise<void> {
    this.startMs = monotonicMs();
    while (!over.aborted && this.unavailable === undefined) {
      await this.look();
      await pause(this.everyMs, over);
    }
  }

  private async look(): Promise<void> {
    try {
      const [stat, status] = await Promise.all([
        readFile(`/proc/${this.pid}/stat`, 'utf8'),
        readFile(`/proc/${this.pid}/status`, 'utf8'),
      ]);
      this.samples.push({ atMs: monotonicMs() - this.startMs, cpuMs: cpuMsOf(stat), residentBytes: residentBytesOf(status) });
    } catch (error) {
      this.unavailable = `CPU and memory come from Linux's /proc (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    }
  }
}

/** The name of the program stands in parentheses and may hold anything; utime and stime are the 12th and 13th field after it. */
export function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export function residentBytesOf(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1_024;
}

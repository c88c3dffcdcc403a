import { cpuMsOf, ProcessSampler, residentBytesOf } from '../stage/process-sampler';
import { processPoints, usesByMode } from './process-figures';

const sample = (atMs: number, cpuMs: number, megabytes = 100) => ({ atMs, cpuMs, residentBytes: megabytes * 2 ** 20 });

const read = (doneMs: number, degraded?: boolean) => ({ kind: 'read' as const, doneMs, degraded });

describe('what the process used', () => {
  // Direct until 2 s, both modes at once until 3 s, degraded until 5 s, the last second without an answer.
  const samples = [
    sample(0, 0),
    sample(1_000, 100),
    sample(2_000, 200),
    sample(3_000, 900),
    sample(4_000, 1_000),
    sample(5_000, 1_300, 120),
  ];
  const answers = [
    // In the stage `reads` a write is direct whatever the mode.
    { kind: 'write' as const, doneMs: 3_550, degraded: false },
    read(500, false),
    read(1_500, false),
    read(2_400, false),
    read(2_600, true),
    read(3_500, true),
    read(3_600, true),
  ];

  it('is told apart by the mode of the answers given meanwhile; what cannot be told counts for neither', () => {
    const [direct, degraded] = usesByMode(samples, answers);
    expect(direct).toMatchObject({
      mode: 'direct',
      seconds: 2,
      answers: 2,
      cpuPercentMean: 10,
      cpuPercentMax: 10,
      cpuMsPerAnswer: 100,
    });
    expect(degraded).toMatchObject({
      mode: 'degraded',
      seconds: 2,
      answers: 3,
      cpuPercentMean: 20,
      cpuPercentMax: 30,
      cpuMsPerAnswer: 400 / 3,
    });
    expect(degraded.residentBytesMax).toBe(120 * 2 ** 20);
  });

  it('is direct where the answers say nothing of a mode, as those of the stage off', () => {
    expect(usesByMode(samples, [read(500)]).map(({ mode, seconds }) => [mode, seconds])).toEqual([['direct', 5]]);
  });

  it('is drawn in stretches that are longer than the kernel’s ticks', () => {
    expect(processPoints(samples, answers, 2_000).map(({ atMs, cpuPercent }) => [atMs, cpuPercent])).toEqual([
      [2_000, 10],
      [4_000, 40],
    ]);
  });
});

describe('looking at a process', () => {
  it('reads the kernel’s words, whatever the program is called', () => {
    expect(cpuMsOf('17 (a b) (c) S 1 17 17 0 -1 4194560 9 0 0 0 250 50 0 0 20 0 11 0 9 9 9')).toBe(3_000);
    expect(residentBytesOf('Name:\tnode\nVmRSS:\t    2048 kB\nThreads:\t11\n')).toBe(2_097_152);
  });

  it('says why it has nothing, where there is no such process or no such system', async () => {
    const sampler = new ProcessSampler(2 ** 30, 1);
    await sampler.run(new AbortController().signal);
    expect(sampler.samples).toEqual([]);
    expect(sampler.unavailable).toContain('/proc');
  });
});

/** `npm run experiment`, scaled down further: windows of 2 s, and the two stages that everything lies between. */
import { htmlReport, markdownSummary, runExperiment, type Experiment } from '@app/experiment';

describe('npm run experiment', () => {
  const lines: string[] = [];
  let result: Experiment;

  beforeAll(async () => {
    result = await runExperiment(
      { profiles: ['heavy'], stages: ['off', 'full'], seed: 1, timeScale: 1 / 30, sideBySide: true },
      { print: (line) => void lines.push(line), over: new AbortController().signal },
    );
  }, 90_000);

  it('shows the loss without protection, and none with it', () => {
    const [off, full] = result.profiles[0].stages;
    expect(result.problems).toEqual([]);
    expect(off.lost.all.lost / off.lost.all.of).toBeGreaterThan(0.4);
    expect(off.outcomes.refused).toBe(off.upstream.refused);
    expect(full.lost.all).toEqual({ lost: 0, of: result.profiles[0].requests });
    expect(full.outcomes.view).toBeGreaterThan(0);
    expect(full.outcomes.accepted).toBeGreaterThan(0);
  });

  it('stays within the limit by the mock’s log, where the unprotected stage does not', () => {
    const [off, full] = result.profiles[0].stages;
    expect(full.upstream.worstWindow).toBeLessThanOrEqual(result.scale.limit);
    expect(off.upstream.worstWindow).toBeGreaterThan(result.scale.limit);
    expect(full.upstream.calls).toBeLessThan(off.upstream.calls);
  });

  it('finds every acknowledged write in the spreadsheet exactly once, and the backlog drained', () => {
    const [, full] = result.profiles[0].stages;
    expect(full.kept.acknowledged).toBeGreaterThan(20);
    expect(full.kept).toEqual({
      acknowledged: full.kept.acknowledged,
      once: full.kept.acknowledged,
      lost: 0,
      doubled: 0,
      unacknowledged: 0,
    });
    expect(full.backlog?.most).toBeGreaterThan(0);
    expect(full.backlog?.drainedAfterMs).toBeDefined();
  });

  it('says first how long it takes, and reports what it found', () => {
    expect(lines[0]).toMatch(/this takes about \d+ s$/);
    expect(htmlReport(result, 'a test')).toContain(`${result.profiles[0].stages[0].upstream.calls}`);
    expect(markdownSummary(result, 'a test')).toContain('Everything that was promised was kept.');
  });
});

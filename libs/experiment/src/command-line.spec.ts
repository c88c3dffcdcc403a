import { readCommandLine, UsageError } from './command-line';

describe('the command line', () => {
  it('without a word: both profiles, all stages, one after another, real windows', () => {
    const { settings, readme, json } = readCommandLine([]);
    expect(settings).toMatchObject({
      profiles: ['mild', 'heavy'],
      stages: ['off', 'count', 'reads', 'full'],
      timeScale: 1,
      sideBySide: false,
    });
    expect([readme, json]).toEqual([false, undefined]);
    expect(settings.seed).toBeGreaterThan(0);
  });

  it('--quick scales everything and runs the stages side by side', () => {
    expect(readCommandLine(['--quick', '--seed', '7']).settings).toMatchObject({ timeScale: 0.1, sideBySide: true, seed: 7 });
  });

  it('takes stages in the order of the case', () => {
    expect(readCommandLine(['--stages', 'full, off']).settings.stages).toEqual(['off', 'full']);
  });

  it.each([
    [['--profile', 'medium'], '--profile: expected mild, heavy or both, got medium'],
    [['--stages', 'off,some'], '--stages: expected some of off,count,reads,full, got some'],
    [['--seed', '1.5'], '--seed: expected a whole number'],
    [['--seed', ''], '--seed: expected a whole number'],
    [['--readme', '--stages', 'off'], '--readme: expected all four stages'],
    [['--quik'], 'usage:'],
  ])('%j is refused in words', (words, message) => {
    expect(() => readCommandLine(words)).toThrow(UsageError);
    expect(() => readCommandLine(words)).toThrow(message);
  });
});

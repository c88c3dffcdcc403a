import { figuresOf } from '../figures/stage-figures';
import type { Experiment } from '../run-experiment';
import { STAGE_NAMES } from '../settings';
import { call, DURATION_MS, recordOf, request, SCALE } from '../testing/records';
import { niceTicks } from './charts/frame';
import { htmlReport } from './html-report';
import { markdownSummary } from './markdown-summary';
import { readmeImage } from './readme-image';

function experimentOf(problems: readonly string[] = []): Experiment {
  const stages = STAGE_NAMES.map((stage) => {
    const isFull = stage === 'full';
    const requests = Array.from({ length: 1_234 }, (_, at) =>
      request(at * 8, isFull ? 'view' : at % 2 === 0 ? 'upstream' : 'failed', { why: isFull ? undefined : 'list: 500 <b>&"' }),
    );
    const calls = requests.slice(0, isFull ? 123 : undefined).map(({ dueMs }) => call(dueMs));
    return figuresOf(recordOf({ stage, requests, calls }), DURATION_MS, SCALE);
  });
  return {
    settings: { profiles: ['heavy'], stages: STAGE_NAMES, seed: 42, timeScale: 0.1, sideBySide: false },
    scale: SCALE,
    startedAt: '2026-01-01T00:00:00.000Z',
    machine: { processor: 'a processor', cores: 2, memoryBytes: 2 ** 33, system: 'linux', node: 'v20.19.0', loadBefore: 0.1 },
    profiles: [
      {
        profile: 'heavy',
        durationMs: DURATION_MS,
        requests: 1_234,
        expectedLoss: 0.78,
        phases: [{ name: 'peak', fromMs: 2_000, toMs: 8_000 }],
        stages,
      },
    ],
    problems,
  };
}

const COMMAND = 'npm run experiment -- --seed 42';
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('the report', () => {
  const page = plain(htmlReport(experimentOf(), COMMAND));
  const summary = plain(markdownSummary(experimentOf(), COMMAND));

  it.each([
    ['page', page],
    ['summary', summary],
  ])('the %s says the command, the losses, the calls, and how many fewer they are', (_, text) => {
    for (const figure of [
      COMMAND,
      '1,234',
      '50.0 % (617 of 1,234)',
      '0 % (0 of 1,234)',
      '78.0 %',
      '90.0 % fewer',
      '123',
      'exactly once',
    ])
      expect(text).toContain(figure);
  });

  it('names what was not kept, first in the page and last in the summary', () => {
    const broken = experimentOf(['heavy, full: a write was lost']);
    expect(htmlReport(broken, COMMAND)).toContain('heavy, full: a write was lost');
    expect(markdownSummary(broken, COMMAND)).toContain('- heavy, full: a write was lost');
    expect(summary).toContain('Everything that was promised was kept.');
  });

  it('needs nothing from outside itself: no script, no address, no style sheet, no font', () => {
    const addresses = [...page.matchAll(/https?:\/\/[^"' ]+/g)].map(([address]) => address);
    expect(new Set(addresses)).toEqual(new Set(['http://www.w3.org/2000/svg']));
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|@font-face/i);
  });

  it('shows text of answers as text', () => {
    expect(page).toContain('list: 500 &lt;b&gt;&amp;&quot;');
    expect(page).not.toContain('500 <b>');
  });

  it('has no number that is none', () => {
    for (const text of [page, summary, readmeImage(experimentOf())]) expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('the picture of the README', () => {
  it('has a panel for each stage, and the colours of both schemes', () => {
    const image = plain(readmeImage(experimentOf()));
    for (const text of [
      'off: 50.0 % lost',
      'count: 50.0 % lost',
      'reads: 50.0 % lost',
      'full: 0 % lost',
      '1,234 in off, 123 in full',
    ])
      expect(image).toContain(text);
    expect(image).toContain('prefers-color-scheme:dark');
    expect(image.match(/<svg/g)).toHaveLength(1);
    expect(image.match(/<g/g)?.length).toBe(image.match(/<\/g>/g)?.length);
  });
});

describe('the marks of an axis', () => {
  it('are round numbers that nothing exceeds', () => {
    expect(niceTicks(2_100)).toEqual([0, 1_000, 2_000, 3_000]);
    expect(niceTicks(17)).toEqual([0, 5, 10, 15, 20]);
    expect(niceTicks(300)).toEqual([0, 100, 200, 300]);
    for (const most of [0, 1, 3, 7, 99, 101, 1_234, 65_432]) {
      const ticks = niceTicks(most);
      expect(ticks[ticks.length - 1]).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }
  });
});

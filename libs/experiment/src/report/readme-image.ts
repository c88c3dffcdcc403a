/** The picture of the README: the four stages under the heaviest load of the run, on a ground of its own, readable on any page. */
import { OUTCOMES, type Outcome } from '../load/outcomes';
import type { Experiment } from '../run-experiment';
import { CHART_CSS, paletteCss } from './charts/palette';
import { escapeText, fix, svg } from './charts/frame';
import { outcomePanel } from './charts/outcome-chart';
import { comparisonOf, stageHeading } from './tables';
import { count, OUTCOME_WORDS, percent } from './words';

const PANEL = { width: 420, height: 220 };
const MARGIN = 14;
const LEGEND_TOP = 76;
const LEGEND_ROW_HEIGHT = 18;
const LEGEND_GAP = 30;
const LETTER_WIDTH = 6.3;
const COLUMNS = 2;

export function readmeImage(experiment: Experiment): string {
  const profile = experiment.profiles.at(-1);
  if (profile === undefined) throw new Error('a picture needs a profile');
  const width = COLUMNS * PANEL.width + 2 * MARGIN;
  const { content: explained, rows } = legend(
    OUTCOMES.filter((outcome) => profile.stages.some(({ outcomes }) => outcomes[outcome] > 0)),
    width - 2 * MARGIN,
  );
  const headHeight = LEGEND_TOP + 4 + rows * LEGEND_ROW_HEIGHT;
  const height = headHeight + Math.ceil(profile.stages.length / COLUMNS) * PANEL.height + MARGIN;
  const comparison = comparisonOf(profile);
  const { limit, windowMs } = experiment.scale;
  const title = `${count(profile.requests)} requests in ${profile.durationMs / 1_000} s; the quota is ${limit} calls in ${windowMs / 1_000} s`;
  const calls =
    comparison === undefined
      ? ''
      : `upstream calls: ${count(comparison.off.upstream.calls)} in off, ${count(comparison.full.upstream.calls)} in full ` +
        `(${percent(comparison.callsSaved)} fewer, never more than ${comparison.full.upstream.worstWindow} in ${windowMs / 1_000} s)`;
  const panels = profile.stages.map((stage, at) => {
    const x = MARGIN + (at % COLUMNS) * PANEL.width;
    const y = headHeight + Math.floor(at / COLUMNS) * PANEL.height;
    return `<g transform="translate(${x} ${y})">${outcomePanel(stage, profile, experiment.scale.windowMs, { ...PANEL, heading: stageHeading(stage) })}</g>`;
  });
  const content =
    `<style>${paletteCss(':root')}${CHART_CSS}.ground{fill:var(--surface);stroke:var(--grid)}text.title{font-size:15px}</style>` +
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>` +
    `<text class="strong title" x="${MARGIN + 6}" y="28">${escapeText(title)}</text>` +
    `<text x="${MARGIN + 6}" y="48">${escapeText(calls)}</text>` +
    explained +
    panels.join('');
  return `${svg(width, height, `${title}, by what became of them in each stage`, content)}\n`;
}

/** An SVG cannot measure its text, so places come from the number of letters: wide enough for any of the fonts. */
function legend(outcomes: readonly Outcome[], width: number): { readonly content: string; readonly rows: number } {
  let left = 0;
  let row = 0;
  const entries = outcomes.map((outcome) => {
    const words = OUTCOME_WORDS[outcome];
    const entryWidth = LEGEND_GAP + words.length * LETTER_WIDTH;
    if (left + entryWidth > width) [left, row] = [0, row + 1];
    const [x, y] = [MARGIN + 6 + left, LEGEND_TOP + row * LEGEND_ROW_HEIGHT];
    left += entryWidth;
    return `<rect class="f-${outcome}" x="${fix(x)}" y="${y - 10}" width="11" height="11" rx="2"/><text x="${fix(x + 16)}" y="${y}">${escapeText(words)}</text>`;
  });
  return { content: entries.join(''), rows: row + 1 };
}

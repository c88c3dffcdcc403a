/** The picture of the README: the four stages under the heaviest load of the run, on a ground of its own, readable on any page. */
import { OUTCOMES } from '../load/outcomes';
import type { Experiment } from '../run-experiment';
import { CHART_CSS, paletteCss } from './charts/palette';
import { escapeText, svg } from './charts/frame';
import { outcomePanel } from './charts/outcome-chart';
import { comparisonOf } from './tables';
import { count, OUTCOME_WORDS, percent } from './words';

const PANEL = { width: 420, height: 220 };
const MARGIN = 14;
const HEAD_HEIGHT = 76;
const COLUMNS = 2;

export function readmeImage(experiment: Experiment): string {
  const profile = experiment.profiles.at(-1);
  if (profile === undefined) throw new Error('a picture needs a profile');
  const width = COLUMNS * PANEL.width + 2 * MARGIN;
  const height = HEAD_HEIGHT + Math.ceil(profile.stages.length / COLUMNS) * PANEL.height + MARGIN;
  const comparison = comparisonOf(profile);
  const saved =
    comparison === undefined
      ? ''
      : `; upstream calls ${count(comparison.off.upstream.calls)} → ${count(comparison.full.upstream.calls)} (${percent(comparison.callsSaved)} fewer)`;
  const title = `${count(profile.requests)} requests in ${profile.durationMs / 1_000} s against a quota of ${experiment.scale.limit} calls in ${experiment.scale.windowMs / 1_000} s${saved}`;
  const panels = profile.stages.map((stage, at) => {
    const x = MARGIN + (at % COLUMNS) * PANEL.width;
    const y = HEAD_HEIGHT + Math.floor(at / COLUMNS) * PANEL.height;
    return `<g transform="translate(${x} ${y})">${outcomePanel(stage, profile, experiment.scale.windowMs, PANEL)}</g>`;
  });
  const content =
    `<style>${paletteCss(':root')}${CHART_CSS}.ground{fill:var(--surface);stroke:var(--grid)}text.title{font-size:15px}</style>` +
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>` +
    `<text class="strong title" x="${MARGIN + 6}" y="30">${escapeText(title)}</text>` +
    legend(MARGIN + 6, 54) +
    panels.join('');
  return `${svg(width, height, `${title}, by what became of them in each stage`, content)}\n`;
}

/** An SVG cannot measure its text: the words are of known length, so places are. */
function legend(x: number, y: number): string {
  const stepWidths = OUTCOMES.map((outcome) => 28 + OUTCOME_WORDS[outcome].length * 6.3);
  return OUTCOMES.map((outcome, at) => {
    const left = x + stepWidths.slice(0, at).reduce((sum, width) => sum + width, 0);
    return (
      `<rect class="f-${outcome}" x="${left.toFixed(1)}" y="${y - 10}" width="11" height="11" rx="2"/>` +
      `<text x="${(left + 16).toFixed(1)}" y="${y}">${escapeText(OUTCOME_WORDS[outcome])}</text>`
    );
  }).join('');
}

/**
 * Colours by what they mean. All charts name them as variables, so that one style sheet serves the light and the dark page. Blue, teal and
 * violet are served, the reds are lost: told apart by lightness too, for those who see red and green alike.
 */
import { OUTCOMES, type Outcome } from '../../load/outcomes';
import type { StageName } from '../../settings';

const LIGHT = {
  surface: '#ffffff',
  page: '#f6f7f9',
  ink: '#1f2328',
  muted: '#57606a',
  grid: '#e1e4e8',
  shade: '#eef1f5',
  upstream: '#1f5fbf',
  view: '#4bb3a2',
  accepted: '#8a63d2',
  refused: '#ee6a50',
  missing: '#c2347f',
  failed: '#8f1d1d',
  off: '#d1442f',
  count: '#57606a',
  reads: '#8a63d2',
  full: '#1f5fbf',
};

const DARK: typeof LIGHT = {
  surface: '#161b22',
  page: '#0d1117',
  ink: '#e6edf3',
  muted: '#9aa4b0',
  grid: '#30363d',
  shade: '#1f262e',
  upstream: '#5b9bf5',
  view: '#3b9f90',
  accepted: '#b08cf0',
  refused: '#ff8266',
  missing: '#e467a8',
  failed: '#c9352f',
  off: '#ff8266',
  count: '#c3ccd6',
  reads: '#b08cf0',
  full: '#5b9bf5',
};

const variables = (colours: typeof LIGHT): string =>
  Object.entries(colours)
    .map(([name, value]) => `--${name}:${value};`)
    .join('');

/** @param root where the variables are set: the page, or a picture that stands alone */
export function paletteCss(root: string): string {
  return `${root}{${variables(LIGHT)}}@media (prefers-color-scheme:dark){${root}{${variables(DARK)}}}`;
}

/** What every chart is drawn with, in a page or alone. */
export const CHART_CSS =
  'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-size:12px;fill:var(--muted)}' +
  'text.strong{fill:var(--ink);font-weight:600}' +
  '.grid{stroke:var(--grid);stroke-width:1}.axis{stroke:var(--muted);stroke-width:1}' +
  '.limit{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4;fill:none}.shade{fill:var(--shade)}' +
  OUTCOMES.map((outcome) => `.f-${outcome}{fill:var(--${outcome})}`).join('') +
  (['off', 'count', 'reads', 'full'] satisfies StageName[])
    .map(
      (stage) =>
        `.l-${stage}{stroke:var(--${stage});stroke-width:2;fill:none;stroke-linejoin:round}.d-${stage}{fill:var(--${stage})}`,
    )
    .join('') +
  // Two lines that lie on each other are both seen.
  '.l-count{stroke-dasharray:2 6}' +
  '.area{fill:var(--accepted);fill-opacity:.25;stroke:none}.line{stroke:var(--upstream);stroke-width:1.5;fill:none}';

export function outcomeColour(outcome: Outcome): string {
  return `var(--${outcome})`;
}

export function stageColour(stage: StageName): string {
  return `var(--${stage})`;
}

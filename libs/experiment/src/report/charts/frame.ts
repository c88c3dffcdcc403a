/** The plot that charts over time are drawn into: scales, grid, axes with units, and how text becomes part of an SVG. */

export interface FrameOptions {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** Between two marks of the time axis: one window of the quota. */
  readonly tickMs: number;
  readonly most: number;
  /** What the values are, with their unit; stands above the axis. */
  readonly valueLabel: string;
  readonly heading?: string;
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (atMs: number) => number;
  readonly y: (value: number) => number;
  /** To be drawn before the data. */
  readonly behind: string;
}

const MARGIN = { left: 44, right: 12, bottom: 26 };
const LINE_HEIGHT = 18;

export function frameOf({ width, height, durationMs, tickMs, most, valueLabel, heading }: FrameOptions): Frame {
  const left = MARGIN.left;
  const right = width - MARGIN.right;
  const top = heading === undefined ? LINE_HEIGHT + 8 : 2 * LINE_HEIGHT + 8;
  const bottom = height - MARGIN.bottom;
  const ticks = niceTicks(most);
  const highest = ticks.at(-1) as number;
  const x = (atMs: number): number => left + ((right - left) * atMs) / durationMs;
  const y = (value: number): number => bottom - ((bottom - top) * value) / highest;
  const parts = [
    ...(heading === undefined ? [] : [`<text class="strong" x="${MARGIN.left}" y="14">${escapeText(heading)}</text>`]),
    `<text x="${MARGIN.left}" y="${top - 10}">${escapeText(valueLabel)}</text>`,
    ...ticks.map(
      (value) =>
        `<line class="grid" x1="${left}" x2="${right}" y1="${fix(y(value))}" y2="${fix(y(value))}"/>` +
        `<text x="${left - 6}" y="${fix(y(value) + 4)}" text-anchor="end">${value.toLocaleString('en-US')}</text>`,
    ),
    `<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`,
    ...timeTicks(durationMs, tickMs).map(
      (atMs) =>
        `<text x="${fix(x(atMs))}" y="${bottom + 17}" text-anchor="${atMs >= durationMs ? 'end' : 'middle'}">` +
        `${Number((atMs / 1_000).toFixed(1))}${atMs >= durationMs ? ' s' : ''}</text>`,
    ),
  ];
  return { left, right, top, bottom, x, y, behind: parts.join('') };
}

/** From 0 to the first round value that nothing exceeds, in three to six steps. */
export function niceTicks(most: number): readonly number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough - 1e-9) as number;
  const step = Math.max(factor * power, Number.isInteger(factor * power) ? 0 : Math.ceil(factor * power));
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

function timeTicks(durationMs: number, tickMs: number): readonly number[] {
  return Array.from({ length: Math.floor(durationMs / tickMs + 1e-9) + 1 }, (_, at) => at * tickMs);
}

export function svg(width: number, height: number, label: string, content: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(label)}" xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
}

/** Coordinates: a tenth of a pixel is more than anybody sees. */
export function fix(value: number): string {
  return String(Number(value.toFixed(1)));
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Points as the path of a line. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  return points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${fix(px)} ${fix(py)}`).join('');
}

/** Latency by source on a logarithmic axis: a bar from p50 to p99, a dot at the longest. */
import type { ProfileFigures } from '../../run-experiment';
import type { StageName } from '../../settings';
import { milliseconds } from '../words';
import { escapeText, fix } from './frame';

const ROW_HEIGHT = 22;
const LEFT = 150;
const RIGHT_MARGIN = 16;
const TOP = 8;

export interface LatencyPanel {
  readonly height: number;
  readonly content: string;
}

export function latencyPanel({ stages }: ProfileFigures, width: number): LatencyPanel {
  const rows = stages.flatMap(({ stage, latencies }) => latencies.map((latency) => ({ stage, ...latency })));
  const values = rows.flatMap(({ p50Ms, maxMs }) => [p50Ms, maxMs]);
  const from = 10 ** Math.floor(Math.log10(Math.max(0.1, Math.min(...values))));
  const to = 10 ** Math.ceil(Math.log10(Math.max(from * 10, ...values)));
  const right = width - RIGHT_MARGIN;
  const x = (ms: number): number => LEFT + ((right - LEFT) * Math.log10(Math.max(ms, from) / from)) / Math.log10(to / from);
  const bottom = TOP + rows.length * ROW_HEIGHT;
  const decades = Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, at) => from * 10 ** at);
  const grid = decades.map(
    (ms) =>
      `<line class="grid" x1="${fix(x(ms))}" x2="${fix(x(ms))}" y1="${TOP}" y2="${bottom}"/>` +
      `<text x="${fix(x(ms))}" y="${bottom + 16}" text-anchor="middle">${Number(ms.toPrecision(1)).toLocaleString('en-US')}</text>`,
  );
  const marks = rows.map(({ stage, source, p50Ms, p99Ms, maxMs }, at) => {
    const y = TOP + (at + 0.5) * ROW_HEIGHT;
    const told = `${stage}, ${source}: p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}, max ${milliseconds(maxMs)} ms`;
    return (
      `<g><title>${escapeText(told)}</title>` +
      `<text x="${LEFT - 8}" y="${fix(y + 4)}" text-anchor="end">${escapeText(`${stage}: ${source}`)}</text>` +
      `<line class="grid" x1="${fix(x(p50Ms))}" x2="${fix(x(maxMs))}" y1="${fix(y)}" y2="${fix(y)}"/>` +
      `<rect class="${fillOf(stage)}" x="${fix(x(p50Ms))}" y="${fix(y - 5)}" width="${fix(Math.max(2, x(p99Ms) - x(p50Ms)))}" height="10" rx="2"/>` +
      `<circle class="${fillOf(stage)}" cx="${fix(x(maxMs))}" cy="${fix(y)}" r="3.5"/></g>`
    );
  });
  const label = `<text x="${right}" y="${bottom + 34}" text-anchor="end">ms, logarithmic: bar from p50 to p99, dot at the longest</text>`;
  return { height: bottom + 42, content: grid.join('') + marks.join('') + label };
}

function fillOf(stage: StageName): string {
  return `d-${stage}`;
}

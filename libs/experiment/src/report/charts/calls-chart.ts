/** Upstream calls in the sliding window that ends at each moment, refused ones included, against the limit. */
import type { ProfileFigures } from '../../run-experiment';
import type { Scale } from '../../settings';
import { fix, frameOf, linePath } from './frame';
import type { PanelSize } from './outcome-chart';

export function callsPanel({ stages, durationMs, phases }: ProfileFigures, scale: Scale, { width, height }: PanelSize): string {
  const { limit, windowMs } = scale;
  const frame = frameOf({
    width,
    height,
    durationMs,
    tickMs: windowMs,
    most: Math.max(limit, ...stages.map(({ upstream }) => upstream.worstWindow)),
    valueLabel: `calls in the last ${windowMs / 1_000} s`,
  });
  const peak = phases.find(({ name }) => name === 'peak');
  const shade =
    peak === undefined
      ? ''
      : `<rect class="shade" x="${fix(frame.x(peak.fromMs))}" y="${frame.top}" width="${fix(frame.x(peak.toMs) - frame.x(peak.fromMs))}" height="${frame.bottom - frame.top}"/>`;
  // The widest stage first, so that no line hides what is told by another.
  const lines = stages.map(({ stage, upstream }) => {
    const path = linePath(upstream.overTime.map(({ atMs, value }) => [frame.x(atMs), frame.y(value)]));
    return `<path class="l-${stage}" d="${path}"/>`;
  });
  const limitY = fix(frame.y(limit));
  return (
    shade +
    frame.behind +
    lines.join('') +
    `<line class="limit" x1="${frame.left}" x2="${frame.right}" y1="${limitY}" y2="${limitY}"/>` +
    `<text class="strong" x="${frame.left + 4}" y="${fix(frame.y(limit) - 5)}">limit ${limit}</text>`
  );
}

/** Of one stage over time: the processor time and memory of its gateway, and the writes that wait. */
import type { StageFigures } from '../../figures/stage-figures';
import type { ProcessPoint } from '../../figures/process-figures';
import { fix, frameOf, linePath, type Frame } from './frame';
import type { PanelSize } from './outcome-chart';

const MEGABYTE = 1_048_576;

interface PanelTime extends PanelSize {
  readonly durationMs: number;
  readonly windowMs: number;
}

export function cpuPanel(stage: StageFigures, size: PanelTime): string {
  return processPanel(stage, size, 'CPU, % of one core', ({ cpuPercent }) => cpuPercent);
}

export function memoryPanel(stage: StageFigures, size: PanelTime): string {
  return processPanel(stage, size, 'memory (resident), MB', ({ residentBytes }) => residentBytes / MEGABYTE);
}

function processPanel(
  { process }: StageFigures,
  { width, height, durationMs, windowMs }: PanelTime,
  valueLabel: string,
  of: (point: ProcessPoint) => number,
): string {
  const points = process.overTime.filter(({ atMs }) => atMs <= durationMs);
  const most = Math.max(1, ...points.map(of));
  const frame = frameOf({ width, height, durationMs, tickMs: windowMs, most, valueLabel });
  const path = linePath(points.map((point) => [frame.x(point.atMs), frame.y(of(point))]));
  return degradedShade(points, frame) + frame.behind + `<path class="line" d="${path}"/>`;
}

/** A rectangle for each stretch of degraded mode. */
function degradedShade(points: readonly ProcessPoint[], frame: Frame): string {
  const parts: string[] = [];
  let fromMs: number | undefined;
  for (const [at, { atMs, mode }] of points.entries()) {
    if (mode === 'degraded') fromMs ??= points[at - 1]?.atMs ?? 0;
    const ends = mode !== 'degraded' || at === points.length - 1;
    if (fromMs === undefined || !ends) continue;
    const width = frame.x(atMs) - frame.x(fromMs);
    parts.push(
      `<rect class="shade" x="${fix(frame.x(fromMs))}" y="${frame.top}" width="${fix(width)}" height="${frame.bottom - frame.top}"/>`,
    );
    fromMs = undefined;
  }
  return parts.join('');
}

/** Steps, since a write is pending or not. The axis goes on behind the load until everything is drained. */
export function backlogPanel({ backlog }: StageFigures, { width, height, durationMs, windowMs }: PanelTime): string {
  if (backlog === undefined) return '';
  const lastMs = backlog.overTime.at(-1)?.atMs ?? 0;
  const shownMs = Math.max(durationMs, Math.ceil(lastMs / windowMs) * windowMs);
  const frame = frameOf({
    width,
    height,
    durationMs: shownMs,
    tickMs: windowMs,
    most: backlog.most,
    valueLabel: 'writes pending, at most',
  });
  const corners: [number, number][] = [];
  for (const [at, { atMs, value }] of backlog.overTime.entries()) {
    if (at > 0) corners.push([frame.x(atMs), frame.y(backlog.overTime[at - 1].value)]);
    corners.push([frame.x(atMs), frame.y(value)]);
  }
  const line = linePath(corners);
  const end = fix(frame.x(durationMs));
  const area = `${line}L${fix(frame.x(lastMs))} ${frame.bottom}L${frame.left} ${frame.bottom}Z`;
  const mark =
    shownMs === durationMs
      ? ''
      : `<line class="limit" x1="${end}" x2="${end}" y1="${frame.top}" y2="${frame.bottom}"/>` +
        `<text x="${fix(frame.x(durationMs) - 5)}" y="${frame.top + 12}" text-anchor="end">end of the load</text>`;
  return frame.behind + `<path class="area" d="${area}"/><path class="l-reads" d="${line}"/>` + mark;
}

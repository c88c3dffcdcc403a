/** Requests by outcome over time: a stack of bars for each stretch of the run; what was lost lies on top. */
import type { StageFigures } from '../../figures/stage-figures';
import { OUTCOMES } from '../../load/outcomes';
import type { ProfileFigures } from '../../run-experiment';
import { count, OUTCOME_WORDS } from '../words';
import { escapeText, fix, frameOf } from './frame';

export interface PanelSize {
  readonly width: number;
  readonly height: number;
}

const BAR_GAP = 1;

/** The inside of an SVG. All stages of a profile share one scale, so that their panels can be compared. */
export function outcomePanel(
  stage: StageFigures,
  profile: ProfileFigures,
  windowMs: number,
  { width, height, heading }: PanelSize & { readonly heading?: string },
): string {
  const { durationMs, stages } = profile;
  const sum = (counts: StageFigures['outcomes']): number => OUTCOMES.reduce((total, outcome) => total + counts[outcome], 0);
  const bucketMs = durationMs / stage.buckets.length;
  const frame = frameOf({
    width,
    height,
    durationMs,
    tickMs: windowMs,
    most: Math.max(...stages.flatMap(({ buckets }) => buckets.map(({ counts }) => sum(counts)))),
    valueLabel: `requests per ${bucketMs / 1_000} s`,
    heading,
  });
  const bars = stage.buckets.map(({ fromMs, counts }) => {
    let below = 0;
    const pieces = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
      const yTop = frame.y(below + counts[outcome]);
      const barHeight = frame.y(below) - yTop;
      below += counts[outcome];
      const barWidth = Math.max(1, frame.x(bucketMs) - frame.x(0) - BAR_GAP);
      return `<rect class="f-${outcome}" x="${fix(frame.x(fromMs))}" y="${fix(yTop)}" width="${fix(barWidth)}" height="${fix(barHeight)}"/>`;
    });
    const told = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
      (outcome) => `${OUTCOME_WORDS[outcome]}: ${count(counts[outcome])}`,
    );
    return `<g><title>${escapeText([`from ${fromMs / 1_000} s`, ...told].join('\n'))}</title>${pieces.join('')}</g>`;
  });
  return frame.behind + bars.join('');
}

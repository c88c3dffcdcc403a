/** The tables of the report, as words: the page and the summary draw the same ones. */
import { LOST_OUTCOMES, OUTCOMES } from '../load/outcomes';
import type { ProfileFigures } from '../run-experiment';
import type { Scale } from '../settings';
import type { Share, StageFigures } from '../figures/stage-figures';
import { count, decimal, megabytes, milliseconds, NO_BREAK, OUTCOME_WORDS, percent, seconds } from './words';

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
}

export function tablesOf(profile: ProfileFigures, scale: Scale): readonly Table[] {
  return [stagesTable(profile, scale), latencyTable(profile), processTable(profile)];
}

function stagesTable({ stages }: ProfileFigures, { limit, windowMs }: Scale): Table {
  const row = (name: string, of: (stage: StageFigures) => string): readonly string[] => [name, ...stages.map(of)];
  const share = ({ lost, of }: Share): string =>
    `${percent(lost, of)} (${count(lost)} of ${count(of)})`.replaceAll(' of ', `${NO_BREAK}of${NO_BREAK}`);
  return {
    title: 'The stages side by side',
    head: ['', ...stages.map(({ stage }) => stage)],
    rows: [
      row('requests lost', ({ lost }) => share(lost.all)),
      row('reads lost', ({ lost }) => share(lost.reads)),
      row('writes lost', ({ lost }) => share(lost.writes)),
      ...OUTCOMES.map((outcome) => row(OUTCOME_WORDS[outcome], ({ outcomes }) => count(outcomes[outcome]))),
      row('upstream calls', ({ upstream }) => count(upstream.calls)),
      row('of them refused (429)', ({ upstream }) => count(upstream.refused)),
      row(`most calls in any ${windowMs / 1_000} s`, ({ upstream }) => `${count(upstream.worstWindow)} of ${limit}`),
      row('writes acknowledged', ({ kept }) => count(kept.acknowledged)),
      row('in the spreadsheet exactly once', ({ kept }) => count(kept.once)),
      row('lost, doubled', ({ kept }) => `${kept.lost}, ${kept.doubled}`),
      row('most writes pending', ({ backlog }) => (backlog === undefined ? '–' : count(backlog.most))),
      row('a write waited (median, longest)', ({ backlog }) =>
        backlog === undefined ? '–' : `${seconds(backlog.waitP50Ms)}, ${seconds(backlog.waitMaxMs)}`,
      ),
      row('drained after the load', drainedWords),
      row(
        'load generator late (99th, most)',
        ({ lateness }) => `${milliseconds(lateness.p99Ms)}, ${milliseconds(lateness.maxMs)} ms`,
      ),
    ],
  };
}

export function drainedWords({ backlog }: StageFigures): string {
  if (backlog === undefined) return '–';
  if (backlog.drainedAfterMs === undefined) return 'not drained';
  return backlog.drainedAfterMs === 0 ? 'nothing was left' : seconds(backlog.drainedAfterMs);
}

function latencyTable({ stages }: ProfileFigures): Table {
  return {
    title: 'Latency by where the answer came from, in ms from the moment the request was due',
    head: ['stage, request, source', 'answers', 'p50', 'p90', 'p99', 'max'],
    rows: stages.flatMap(({ stage, latencies }) =>
      latencies.map(({ source, count: answers, p50Ms, p90Ms, p99Ms, maxMs }) => [
        `${stage}: ${source}`,
        count(answers),
        ...[p50Ms, p90Ms, p99Ms, maxMs].map(milliseconds),
      ]),
    ),
  };
}

function processTable({ stages }: ProfileFigures): Table {
  return {
    title: 'The gateway process in each mode (CPU in % of one core; the drain runs in the same process)',
    head: ['stage, mode', 'time', 'answers/s', 'CPU mean', 'CPU most', 'CPU ms per answer', 'memory mean, MB', 'memory most, MB'],
    rows: stages.flatMap(({ stage, process }) =>
      process.unavailable === undefined
        ? process.byMode.map((use) => [
            `${stage}: ${use.mode}`,
            seconds(use.seconds * 1_000),
            decimal(use.answers / use.seconds, 1),
            `${decimal(use.cpuPercentMean, 1)} %`,
            `${decimal(use.cpuPercentMax, 0)} %`,
            decimal(use.cpuMsPerAnswer, 2),
            megabytes(use.residentBytesMean),
            megabytes(use.residentBytesMax),
          ])
        : [[`${stage}: not measured: ${process.unavailable}`, '–', '–', '–', '–', '–', '–', '–']],
    ),
  };
}

/** What the client lost without protection and with all of it; undefined where the run had only some of the stages. */
export interface Comparison {
  readonly off: StageFigures;
  readonly full: StageFigures;
  /** Share of the upstream calls that `full` saves. */
  readonly callsSaved: number;
}

export function comparisonOf({ stages }: ProfileFigures): Comparison | undefined {
  const off = stages.find(({ stage }) => stage === 'off');
  const full = stages.find(({ stage }) => stage === 'full');
  if (off === undefined || full === undefined) return undefined;
  return { off, full, callsSaved: 1 - full.upstream.calls / Math.max(1, off.upstream.calls) };
}

/** What a chart of the stage is called. */
export function stageHeading({ stage, lost: { all } }: StageFigures): string {
  return `${stage}: ${percent(all.lost, all.of)} lost`;
}

/** In words, for those who read no table. */
export function verdictsOf({ stages }: ProfileFigures): readonly string[] {
  return stages.map(({ stage, kept, outcomes }) => {
    const lost = LOST_OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
    return (
      `${stage}: ${count(kept.once)} of ${count(kept.acknowledged)} acknowledged writes are in the spreadsheet exactly once ` +
      `(${kept.lost} lost, ${kept.doubled} doubled); ${count(lost)} requests lost`
    );
  });
}

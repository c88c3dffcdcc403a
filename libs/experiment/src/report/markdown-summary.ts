import type { Experiment, ProfileFigures } from '../run-experiment';
import { STAGE_MEANINGS } from '../settings';
import { comparisonOf, tablesOf, verdictsOf, type Table } from './tables';
import { count, percent, seconds } from './words';

/** The figures without the charts, for where no page can be opened. */
export function markdownSummary(experiment: Experiment, command: string): string {
  const { settings, startedAt, problems, scale } = experiment;
  const lines = [
    '# Experiment',
    '',
    `\`${command}\`, seed ${settings.seed}, begun ${startedAt}: ${scale.limit} calls in ${scale.windowMs / 1_000} s, ` +
      `stages ${settings.sideBySide ? 'side by side' : 'one after another'}.`,
    '',
    machineLine(experiment),
    '',
    ...settings.stages.map((stage) => `- \`${stage}\`: ${STAGE_MEANINGS[stage]}`),
    '',
    ...experiment.profiles.flatMap((profile) => profileLines(profile, experiment)),
    ...(problems.length === 0
      ? ['Everything that was promised was kept.']
      : ['What was not kept:', ...problems.map((problem) => `- ${problem}`)]),
    '',
  ];
  return lines.join('\n');
}

export function machineLine({ machine }: Experiment): string {
  const { cores, processor, memoryBytes, system, node, loadBefore } = machine;
  const beside = `${loadBefore.toFixed(1)} processes on average were at work in the minute before`;
  return `${cores} × ${processor}, ${(memoryBytes / 2 ** 30).toFixed(0)} GB, ${system}, Node ${node.slice(1)}; ${beside}.`;
}

export function profileSentence({ requests, durationMs, expectedLoss }: ProfileFigures): string {
  return (
    `${count(requests)} requests in ${seconds(durationMs)}, four reads to one write. By arithmetic an application without ` +
    `protection loses ${percent(expectedLoss)} of them.`
  );
}

function profileLines(profile: ProfileFigures, { scale }: Experiment): string[] {
  const comparison = comparisonOf(profile);
  return [
    `## ${profile.profile}`,
    '',
    profileSentence(profile),
    '',
    ...(comparison === undefined
      ? []
      : [
          `Lost: ${percent(comparison.off.lost.all.lost, comparison.off.lost.all.of)} without protection, ` +
            `${percent(comparison.full.lost.all.lost, comparison.full.lost.all.of)} with it. ` +
            `Upstream calls: ${count(comparison.off.upstream.calls)} and ${count(comparison.full.upstream.calls)} ` +
            `(${percent(comparison.callsSaved)} fewer).`,
          '',
        ]),
    ...tablesOf(profile, scale).flatMap(tableLines),
    ...verdictsOf(profile).map((verdict) => `- ${verdict}`),
    ...profile.stages.flatMap(({ stage, failures }) =>
      failures.slice(0, 3).map(({ why, count: times }) => `- ${stage}, ${count(times)} times: \`${why.replaceAll('`', "'")}\``),
    ),
    '',
  ];
}

function tableLines({ title, head, rows }: Table): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = `|${head.map((_, at) => (at === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
  return [`**${title}**`, '', line(head), rule, ...rows.map(line), ''];
}

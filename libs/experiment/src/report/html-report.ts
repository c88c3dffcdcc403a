/** One page that needs nothing else: no script, no font, no address outside it. */
import { OUTCOMES } from '../load/outcomes';
import type { Experiment, ProfileFigures } from '../run-experiment';
import { STAGE_MEANINGS } from '../settings';
import type { StageFigures } from '../figures/stage-figures';
import { callsPanel } from './charts/calls-chart';
import { escapeText, svg } from './charts/frame';
import { latencyPanel } from './charts/latency-chart';
import { outcomePanel } from './charts/outcome-chart';
import { outcomeColour, stageColour } from './charts/palette';
import { backlogPanel, cpuPanel, memoryPanel } from './charts/stage-charts';
import { machineLine, profileSentence } from './markdown-summary';
import { PAGE_CSS } from './page-style';
import { comparisonOf, drainedWords, stageHeading, tablesOf, verdictsOf, type Table } from './tables';
import { count, OUTCOME_WORDS, percent } from './words';

const PANEL = { width: 400, height: 220 };
const FAILURES_MAX = 5;

export function htmlReport(experiment: Experiment, command: string): string {
  const { settings, scale, startedAt, problems, profiles } = experiment;
  const { limit, windowMs } = scale;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sheets Quota Gateway: the experiment</title>
<style>${PAGE_CSS}</style>
</head>
<body>
<main>
<h1>The same load, without and with the gateway's protection</h1>
<p>A quota of ${limit} upstream calls in ${windowMs / 1_000} s. Requests arrive by the clock, whatever became of those before them;
each stage has a mock of the service, a Redis and a gateway of its own. The mock's own log says how many calls arrived.</p>
<p class="muted"><code>${escapeText(command)}</code>, seed ${settings.seed}, begun ${startedAt.slice(0, 19).replace('T', ' ')} UTC,
stages ${settings.sideBySide ? 'side by side (CPU figures disturb each other)' : 'one after another'}. ${escapeText(machineLine(experiment))}</p>
${problemList(problems)}
${profiles.length > 1 ? `<nav>${profiles.map(({ profile }) => `<a href="#${profile}">${profile}</a>`).join('')}</nav>` : ''}
${profiles.map((profile) => profileSection(profile, experiment)).join('\n')}
</main>
</body>
</html>
`;
}

function problemList(problems: readonly string[]): string {
  if (problems.length === 0) return '';
  return `<div class="problems"><b>Not kept</b><ul>${problems.map((problem) => `<li>${escapeText(problem)}</li>`).join('')}</ul></div>`;
}

function profileSection(profile: ProfileFigures, { scale }: Experiment): string {
  const { stages, durationMs } = profile;
  const { windowMs } = scale;
  const [stagesTable, latencyTable, processTable] = tablesOf(profile, scale).map(tableHtml);
  const full = stages.find(({ stage }) => stage === 'full');
  const latency = latencyPanel(profile, PANEL.width);
  const stageLegend = legend(stages.map(({ stage }) => [stageColour(stage), stage]));
  const panels = stages.map((stage) =>
    figure(
      `${stageHeading(stage)} <span class="muted">${STAGE_MEANINGS[stage.stage]}</span>`,
      draw(`Requests by outcome over time, stage ${stage.stage}`, outcomePanel(stage, profile, windowMs, PANEL)),
    ),
  );
  const time = { ...PANEL, durationMs, windowMs };
  return `<section id="${profile.profile}">
<h2>${profile.profile}</h2>
<p>${profileSentence(profile)}</p>
${cards(profile)}
<h3>Requests by outcome over time</h3>
${legend(OUTCOMES.map((outcome) => [outcomeColour(outcome), OUTCOME_WORDS[outcome]]))}
<div class="charts">${panels.join('')}</div>
${stagesTable}
<div class="charts">
${figure('Upstream calls in the sliding window, by the mock’s log; the peak is shaded', stageLegend + draw('Upstream calls in the sliding window', callsPanel(profile, scale, PANEL)))}
${full === undefined ? '' : figure(`Writes pending in <i>full</i>; after the load: ${drainedWords(full)}`, draw('Writes pending over time', backlogPanel(full, time)))}
</div>
<div class="charts">
${figure('Latency by source', draw('Latency by source', latency.content, latency.height))}
${full === undefined ? '' : processFigure(full, time)}
</div>
${latencyTable}
${processTable}
<h3>What the spreadsheet holds</h3>
<ul>${verdictsOf(profile)
    .map((verdict) => `<li>${escapeText(verdict)}</li>`)
    .join('')}</ul>
${failureList(stages)}
</section>`;
}

function cards(profile: ProfileFigures): string {
  const comparison = comparisonOf(profile);
  if (comparison === undefined) return '';
  const { off, full, callsSaved } = comparison;
  const lost = ({ lost: { all } }: StageFigures): string => percent(all.lost, all.of);
  const all: readonly (readonly [string, string])[] = [
    [`${lost(off)} → ${lost(full)}`, 'requests lost, off → full'],
    [`${count(off.upstream.calls)} → ${count(full.upstream.calls)}`, `upstream calls, off → full: ${percent(callsSaved)} fewer`],
    [`${full.upstream.worstWindow}`, 'calls in the fullest window of full, refused: ' + String(full.upstream.refused)],
    [`${count(full.kept.once)} of ${count(full.kept.acknowledged)}`, 'writes of full in the spreadsheet exactly once'],
  ];
  return `<div class="cards">${all.map(([figureText, what]) => `<div class="card"><b>${figureText}</b><span>${what}</span></div>`).join('')}</div>`;
}

function processFigure(full: StageFigures, time: typeof PANEL & { durationMs: number; windowMs: number }): string {
  if (full.process.unavailable !== undefined)
    return figure('CPU and memory', `<p class="muted">Not measured: ${escapeText(full.process.unavailable)}</p>`);
  return figure(
    'The gateway process in <i>full</i>; degraded mode is shaded',
    draw('CPU over time', cpuPanel(full, { ...time, height: 190 }), 190) +
      draw('Memory over time', memoryPanel(full, { ...time, height: 190 }), 190),
  );
}

function failureList(stages: readonly StageFigures[]): string {
  const items = stages.flatMap(({ stage, failures }) =>
    failures
      .slice(0, FAILURES_MAX)
      .map(({ why, count: times }) => `<li>${stage}, ${count(times)} times: <code>${escapeText(why)}</code></li>`),
  );
  return items.length === 0 ? '' : `<h3>Other errors that clients got</h3><ul>${items.join('')}</ul>`;
}

function draw(label: string, content: string, height = PANEL.height): string {
  return svg(PANEL.width, height, label, content);
}

function figure(caption: string, content: string): string {
  return `<figure><figcaption>${caption}</figcaption>${content}</figure>`;
}

function legend(entries: readonly (readonly [string, string])[]): string {
  const items = entries.map(([colour, words]) => `<li><i style="background:${colour}"></i>${escapeText(words)}</li>`);
  return `<ul class="legend">${items.join('')}</ul>`;
}

function tableHtml({ title, head, rows }: Table): string {
  const cells = (tag: 'th' | 'td', texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escapeText(text)}</${tag}>`).join('')}</tr>`;
  return `<h3>${escapeText(title)}</h3>
<div class="table"><table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;
}

/** The status page: one stream of states from the gateway, shown as words, numbers, tables and charts. */
import { TimeChart } from './charts.js';
import { clock, duration, number, plural } from './words.js';

/** No state for this long: what is shown is old. The gateway sends one a second. */
const SILENCE_MS = 5_000;
const RETRY_MS = 5_000;
const BAR_S = 10;

const MARKS = { direct: '●', degraded: '▲', draining: '▼', 'upstream-down': '✕', 'redis-down': '✕', lost: '?' };
const QUOTA_SERIES = [
  { label: 'Calls in the window', colour: 'consumed' },
  { label: 'Trigger', colour: 'trigger', dash: [6, 4] },
  { label: 'Limit in force', colour: 'limit' },
];
const OUTCOMES = ['ok', 'client-error', 'rate-limited', 'server-error', 'timeout', 'network', 'refused-by-gate'];
const UNSENT = new Set(['refused-by-gate', 'not-sent']);
const CALL_SERIES = [
  { label: 'direct', colour: 'direct', bars: true },
  { label: 'drain', colour: 'drain', bars: true },
  { label: 'refresh', colour: 'refresh', bars: true },
  { label: 'cold', colour: 'cold', bars: true },
  { label: 'not OK', colour: 'error', bars: true },
];
const REQUESTS = [
  { name: 'reads.upstream', label: 'Read from upstream', short: 'Upstream', colour: 'upstream' },
  { name: 'reads.snapshot', label: 'from snapshot', short: 'Snapshot', colour: 'snapshot' },
  { name: 'reads.memory', label: 'from memory', short: 'Memory', colour: 'memory' },
  { name: 'writes.done', label: 'Written', short: 'Written', colour: 'done' },
  { name: 'writes.queued', label: 'Write queued', short: 'Queued', colour: 'queued' },
  { name: 'errors.', label: 'Error', short: 'Errors', colour: 'error' },
].map((series) => ({ ...series, bars: true }));

const by = (id) => document.getElementById(id);
const buckets = new Map();
let state;
let heardAtMs = 0;
let announced;

function text(id, words) {
  const element = by(id);
  if (element.textContent !== words) element.textContent = words;
}

/** A row of cells: strings, or { text, head, right, bad, href, id, span }. */
function row(cells) {
  const line = document.createElement('tr');
  for (const cell of cells) {
    const { text: words, head, right, bad, href, id, span } = typeof cell === 'object' ? cell : { text: cell };
    const element = document.createElement(head ? 'th' : 'td');
    if (head) element.scope = head;
    if (span) element.colSpan = span;
    element.className = [right && 'n', bad && 'bad', id && 'id'].filter(Boolean).join(' ');
    if (href === undefined) element.textContent = words;
    else {
      const link = document.createElement('a');
      link.href = href;
      link.textContent = words;
      element.append(link);
    }
    line.append(element);
  }
  return line;
}

/** Replaces the rows only where they differ, so that a link keeps the focus and a selection stays. */
function rows(id, lines) {
  const body = by(id);
  const key = JSON.stringify(lines);
  if (body.dataset.shown === key) return;
  const focused = body.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  body.replaceChildren(...lines.map(row));
  body.dataset.shown = key;
  if (focused !== null) [...body.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
}

function keyOf(id, entries) {
  by(id).replaceChildren(
    ...entries.map(({ label, kind = 'box', colour }) => {
      const item = document.createElement('li');
      const sign = document.createElement('i');
      sign.className = kind;
      sign.style[kind === 'box' ? 'background' : 'borderTopColor'] = `var(--${colour})`;
      item.append(sign, label);
      return item;
    }),
  );
}

function banner(name, headline, meaning) {
  by('banner').dataset.situation = name;
  text('mark', MARKS[name] ?? '');
  text('headline', headline);
  text('meaning', meaning);
  document.title = `${headline} · Sheets Quota Gateway`;
  // Told once per change: the numbers in it change every second.
  if (announced === headline) return;
  announced = headline;
  text('announcement', `${headline}. ${meaning}`);
}

function showTiles() {
  const { quotas, pending, forecast, snapshots, failures } = state;
  const tightest = quotas.reduce((most, quota) => (most === undefined || part(quota) > part(most) ? quota : most), undefined);
  text('quota-used', tightest === undefined ? '–' : `${number(tightest.consumed)} of ${number(tightest.limitInForce)}`);
  text(
    'quota-note',
    tightest === undefined
      ? 'no call yet'
      : `degrades above ${number(tightest.trigger)}${quotas.length > 1 ? `, ${tightest.quotaId}` : ''}`,
  );
  text('pending', number(pending.writes));
  text('pending-note', pending.writes === 0 ? 'everything is upstream' : `in ${plural(pending.spreadsheets, 'spreadsheet')}`);
  text('oldest', pending.oldestAgeMs === undefined ? 'none' : duration(pending.oldestAgeMs));
  text('oldest-note', pending.oldestAgeMs === undefined ? '' : `accepted ${clock(state.atMs - pending.oldestAgeMs)}`);
  const [drain, note] = drainWords(forecast);
  text('drain', drain);
  text('drain-note', note);
  const [stalest] = snapshots.stalest;
  text('stalest', stalest === undefined ? 'none' : duration(stalest.ageMs));
  text('stalest-note', stalest === undefined ? 'nothing read yet' : stalest.sheet);
  text('failed', number(failures.total));
  text('failed-note', failures.total === 0 ? 'none was set aside' : 'listed below');
}

function part({ consumed, limitInForce }) {
  return consumed / limitInForce;
}

function drainWords(forecast) {
  switch (forecast.kind) {
    case 'nothing':
      return ['0 s', 'nothing waits'];
    case 'time':
      return [`≈ ${duration(forecast.ms)}`, 'at the rate of the last minute'];
    case 'growing':
      return ['growing', 'more comes than goes'];
    case 'stalled':
      return ['stalled', `nothing drained for ${duration(forecast.forMs)}`];
    default:
      return ['not known yet', 'nothing drained so far'];
  }
}

function showFacts() {
  const { processes, facts, lastKnownAtMs, atMs } = state;
  const count = Object.keys(processes).length;
  const shadow = facts.enforced ? '' : ' · counting only, nothing is refused';
  const stage = facts.protection === 'full' ? '' : ` · stage ${facts.protection}`;
  const told = lastKnownAtMs === undefined ? `state of ${clock(atMs)}` : `last known state, of ${clock(lastKnownAtMs)}`;
  text('facts', `${plural(count, 'process', 'processes')} · ${told}${stage}${shadow}`);
}

function showLimits() {
  const { quotas } = state;
  const line = (label, tell) => [{ text: label, head: 'row' }, ...quotas.map((quota) => ({ right: true, ...tell(quota) }))];
  rows('limits-head', [
    [{ text: 'Quota', head: 'col' }, ...quotas.map(({ quotaId }) => ({ text: quotaId, head: 'col', right: true }))],
  ]);
  rows('limits', [
    line('Mode (changes so far)', ({ mode, modeChanges }) => ({ text: `${mode} (${number(modeChanges)})` })),
    line('Configured limit', ({ configuredLimit, windowMs }) => ({
      text: `${number(configuredLimit)} in ${duration(windowMs)}`,
    })),
    line('Learnt from the upstream', ({ learntLimit }) => ({
      text: learntLimit === undefined ? 'nothing' : number(learntLimit),
    })),
    line('Used by strangers', ({ foreignCalls }) => ({ text: number(foreignCalls), bad: foreignCalls > 0 })),
    line('Limit in force', ({ limitInForce }) => ({ text: number(limitInForce) })),
    line('Degrades above, back below', ({ trigger, exit }) => ({ text: `${number(trigger)}, ${number(exit)}` })),
    line('Closed by a 429', ({ closedForMs }) => ({
      text: closedForMs > 0 ? `for ${duration(closedForMs)}` : 'no',
      bad: closedForMs > 0,
    })),
  ]);
}

function showSnapshots() {
  const { snapshots } = state;
  const lines = snapshots.stalest.map(({ sheet, spreadsheet, ageMs, pendingWrites }) => [
    { text: sheet, head: 'row' },
    { text: spreadsheet, id: true },
    { text: duration(ageMs), right: true },
    { text: number(pendingWrites), right: true },
  ]);
  const more = snapshots.total - snapshots.stalest.length;
  if (more > 0) lines.push([{ text: `and ${number(more)} that were fetched earlier`, span: 4 }]);
  rows('snapshots', lines.length === 0 ? [[{ text: 'No sheet was read yet.', span: 4 }]] : lines);
}

function showFailures() {
  const { failures } = state;
  const lines = failures.latest.map(({ writeId, sheet, operation, reason, explanation, failedAt, jobPath }) => [
    failedAt === undefined ? '' : clock(Date.parse(failedAt)),
    { text: `${operation} on ${sheet}` },
    { text: `${reason}: ${explanation}` },
    jobPath === undefined ? { text: 'written directly, no job' } : { text: `Open job ${writeId.split('-')[1]}`, href: jobPath },
  ]);
  const more = failures.total - failures.latest.length;
  if (more > 0)
    lines.push(['', `and ${number(more)} more`, '', { text: 'All in the queue', href: '/queues/queue/writes?status=failed' }]);
  rows('failed-writes', lines.length === 0 ? [[{ text: 'No write failed within a day.', span: 4 }]] : lines);
}

function callCount(counters, lane, wanted) {
  const prefix = `calls.${lane}.`;
  let sum = 0;
  for (const [name, count] of Object.entries(counters))
    if (name.startsWith(prefix) && wanted(name.slice(prefix.length))) sum += count;
  return sum;
}

function countOf(counters, name) {
  if (!name.endsWith('.')) return counters[name] ?? 0;
  return Object.entries(counters).reduce((sum, [key, count]) => (key.startsWith(name) ? sum + count : sum), 0);
}

function total(list, tell) {
  return list.reduce((sum, { counters }) => sum + tell(counters), 0);
}

function showCalls(list) {
  const lines = state.facts.lanes.map((lane) => [
    { text: lane, head: 'row' },
    ...OUTCOMES.map((outcome) => {
      const count = total(list, (counters) => callCount(counters, lane, (name) => name === outcome));
      const bad = count > 0 && outcome !== 'ok' && outcome !== 'refused-by-gate';
      return { text: number(count), right: true, bad };
    }),
  ]);
  rows('calls', lines);
}

function showRequests(list) {
  const lastMinute = list.filter(({ startMs }) => startMs > state.atMs - 60_000);
  rows('requests-head', [
    [{ text: 'Period', head: 'col' }, ...REQUESTS.map(({ short }) => ({ text: short, head: 'col', right: true }))],
  ]);
  const line = (label, some) => [
    { text: label, head: 'row' },
    ...REQUESTS.map(({ name }) => {
      const count = total(some, (counters) => countOf(counters, name));
      return { text: number(count), right: true, bad: name === 'errors.' && count > 0 };
    }),
  ];
  rows('requests', [line('Last minute', lastMinute), line('10 minutes', list)]);
}

/** Bars of ten seconds from buckets of two. */
function bars(list, tells) {
  const endS = Math.floor(state.atMs / 1000 / BAR_S) * BAR_S;
  const beginS = endS - state.timeline.shownMs / 1000;
  const seconds = [];
  for (let at = beginS; at <= endS; at += BAR_S) seconds.push(at);
  const columns = tells.map(() => seconds.map(() => null));
  for (const { startMs, counters } of list) {
    const place = Math.floor((startMs / 1000 - beginS) / BAR_S);
    if (place < 0 || place >= seconds.length) continue;
    tells.forEach((tell, which) => (columns[which][place] = (columns[which][place] ?? 0) + tell(counters)));
  }
  return { seconds, columns, range: rangeShown(), top: 5 };
}

function rangeShown() {
  return [(state.atMs - state.timeline.shownMs) / 1000, state.atMs / 1000 + 1];
}

const quotaCharts = new Map();
let callChart;
let requestChart;

function showCharts(list) {
  callChart ??= new TimeChart(by('calls-chart'), { series: CALL_SERIES, height: 88, stacked: true });
  requestChart ??= new TimeChart(by('requests-chart'), { series: REQUESTS, height: 88, stacked: true });
  const lanes = ['direct', 'drain', 'refresh', 'cold'];
  const sent = (outcome) => !UNSENT.has(outcome);
  const calls = bars(list, [
    ...lanes.map((lane) => (counters) => callCount(counters, lane, (outcome) => outcome === 'ok')),
    (counters) => lanes.reduce((sum, lane) => sum + callCount(counters, lane, (name) => sent(name) && name !== 'ok'), 0),
  ]);
  callChart.show({ ...calls, words: 'Upstream calls in each ten seconds by lane. The table below has the sums.' });
  const requests = bars(
    list,
    REQUESTS.map(
      ({ name }) =>
        (counters) =>
          countOf(counters, name),
    ),
  );
  requestChart.show({ ...requests, words: 'Requests in each ten seconds by data source. The table below has the sums.' });
  for (const quota of state.quotas) showQuota(list, quota);
}

function showQuota(list, { quotaId, limitInForce, configuredLimit, trigger, consumed, mode }) {
  if (!quotaCharts.has(quotaId)) {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const plot = document.createElement('div');
    plot.className = 'plot';
    caption.textContent = quotaId;
    figure.append(caption, plot);
    by('quota-charts').append(figure);
    const height = state.quotas.length > 1 ? 76 : 142;
    caption.hidden = state.quotas.length === 1;
    quotaCharts.set(quotaId, new TimeChart(plot, { series: QUOTA_SERIES, height }));
  }
  const bucketS = state.timeline.bucketMs / 1000;
  const share = trigger / limitInForce;
  const known = new Map(list.map((bucket) => [bucket.startMs, bucket.quotas.find((sample) => sample.quotaId === quotaId)]));
  const seconds = [];
  const columns = [[], [], []];
  const bands = [];
  const lastMs = Math.floor(state.atMs / state.timeline.bucketMs) * state.timeline.bucketMs;
  for (let startMs = lastMs - state.timeline.shownMs; startMs <= lastMs; startMs += state.timeline.bucketMs) {
    const sample = known.get(startMs);
    const at = startMs / 1000;
    seconds.push(at);
    columns[0].push(sample?.consumed ?? null);
    columns[1].push(sample === undefined ? null : Math.floor(sample.limitInForce * share));
    columns[2].push(sample?.limitInForce ?? null);
    if (sample?.mode !== 'degraded') continue;
    const open = bands.at(-1);
    if (open !== undefined && open[1] >= at) open[1] = at + bucketS;
    else bands.push([at, at + bucketS]);
  }
  const words = `${quotaId}: ${consumed} of ${limitInForce} calls in the window now, degraded above ${trigger}, mode ${mode}; ${plural(bands.length, 'stretch', 'stretches')} of degraded mode in the last 10 minutes.`;
  quotaCharts
    .get(quotaId)
    .show({ seconds, columns, bands, range: rangeShown(), top: Math.max(limitInForce, configuredLimit), words });
}

/** What the quota charts show, minute by minute, the latest first. */
function showMinutes(list) {
  const { quotas } = state;
  rows('quota-minutes-head', [
    [
      { text: 'Minute', head: 'col' },
      ...quotas.map(({ quotaId }) => ({ text: `${quotaId}: most calls, mode`, head: 'col', right: true })),
    ],
  ]);
  const minutes = new Map();
  for (const bucket of list) {
    const minute = Math.floor(bucket.startMs / 60_000) * 60_000;
    minutes.set(minute, [...(minutes.get(minute) ?? []), bucket]);
  }
  const tell = (some, quotaId) => {
    const samples = some.flatMap((bucket) => bucket.quotas.filter((sample) => sample.quotaId === quotaId));
    if (samples.length === 0) return 'not known';
    const degraded = samples.filter(({ mode }) => mode === 'degraded').length;
    const mode = degraded === 0 ? 'direct' : degraded === samples.length ? 'degraded' : 'partly degraded';
    return `${number(Math.max(...samples.map(({ consumed }) => consumed)))}, ${mode}`;
  };
  rows(
    'quota-minutes',
    [...minutes]
      .reverse()
      .map(([minute, some]) => [
        { text: clock(minute, false), head: 'row' },
        ...quotas.map(({ quotaId }) => ({ text: tell(some, quotaId), right: true })),
      ]),
  );
}

function show() {
  const list = [...buckets.values()].sort((a, b) => a.startMs - b.startMs);
  const { name, headline, meaning } = state.situation;
  banner(name, headline, meaning);
  showFacts();
  showTiles();
  showLimits();
  showCalls(list);
  showRequests(list);
  showSnapshots();
  showFailures();
  showCharts(list);
  showMinutes(list);
}

function take(event, { whole }) {
  state = JSON.parse(event.data);
  heardAtMs = performance.now();
  if (whole) buckets.clear();
  for (const bucket of state.timeline.buckets) buckets.set(bucket.startMs, bucket);
  for (const startMs of buckets.keys()) if (startMs < state.atMs - state.timeline.shownMs - 2_000) buckets.delete(startMs);
  show();
}

function connectStream() {
  const stream = new EventSource('/status/events');
  stream.addEventListener('full', (event) => take(event, { whole: true }));
  stream.addEventListener('state', (event) => take(event, { whole: false }));
  stream.addEventListener('error', () => {
    // The browser tries again by itself, except after an answer that is no stream, such as 503.
    if (stream.readyState !== EventSource.CLOSED) return;
    stream.close();
    setTimeout(connectStream, RETRY_MS);
  });
}

function watchSilence() {
  if (performance.now() - heardAtMs < SILENCE_MS) return;
  const shown = state === undefined ? 'Nothing was heard yet.' : `Shown is the state of ${clock(state.atMs)}.`;
  banner('lost', 'No connection to the gateway', `${shown} Trying again every few seconds.`);
}

keyOf('quota-key', [
  { ...QUOTA_SERIES[0], kind: 'line' },
  { ...QUOTA_SERIES[1], kind: 'line dashed' },
  { ...QUOTA_SERIES[2], kind: 'line' },
  { label: 'Degraded mode', colour: 'band' },
]);
keyOf('calls-key', CALL_SERIES);
keyOf('requests-key', REQUESTS);
connectStream();
setInterval(watchSilence, 1_000);

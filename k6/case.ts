/**
 * The load of the case study: warm-up, ramp past the quota, peak, cool-down; three reads to one write, one request per
 * iteration. What it is, how to run it and what to look for: README.md.
 */
import { check, fail, sleep } from 'k6';
import exec from 'k6/execution';
import http, { type RefinedParams, type RefinedResponse } from 'k6/http';
import { Rate, Trend } from 'k6/metrics';
import type { Options, RampingArrivalRateScenario } from 'k6/options';
import { operationFor } from './mix.ts';
import { makeOrder, OwnRows, statusAfter, type Order } from './orders.ts';
import { PHASE_NAMES, PROFILES, type PhaseName } from './profiles.ts';
import { readSettings } from './settings.ts';
import { stageFor } from './stages.ts';

type Answer = RefinedResponse<'text'>;
type Kind = 'read' | 'write';

const settings = readSettings(__ENV);
const profile = PROFILES[settings.profile];
const stage = stageFor(settings.stage, settings.profile);
const rowsUrl = `${settings.baseUrl}/sheets/${encodeURIComponent(settings.sheet)}/rows`;

const requestsLost = new Rate('requests_lost');
const answersDegraded = new Rate('answers_degraded');
const quotaConsumed = new Trend('quota_consumed');

http.setResponseCallback(http.expectedStatuses(...stage.statusesAllowed));

/** Virtual users at hand from the start, and at most: 35 arrivals a second, each answered within ten seconds at the worst. */
const VUS_AT_START = 50;
const VUS_MAX = 400;

function scenariosOfTheCase(): Record<PhaseName, RampingArrivalRateScenario> {
  let startSeconds = 0;
  const scenarios = PHASE_NAMES.map((phase): [PhaseName, RampingArrivalRateScenario] => {
    const { fromPerMinute, legs } = profile.phases[phase];
    const scenario: RampingArrivalRateScenario = {
      executor: 'ramping-arrival-rate',
      exec: 'mixedTraffic',
      startTime: `${startSeconds}s`,
      startRate: fromPerMinute,
      timeUnit: '1m',
      stages: legs.map(({ seconds, toPerMinute }) => ({ duration: `${seconds}s`, target: toPerMinute })),
      preAllocatedVUs: VUS_AT_START,
      maxVUs: VUS_MAX,
      gracefulStop: '15s',
    };
    startSeconds += legs.reduce((sum, { seconds }) => sum + seconds, 0);
    return [phase, scenario];
  });
  return Object.fromEntries(scenarios) as Record<PhaseName, RampingArrivalRateScenario>;
}

export const options: Options = {
  scenarios: { ...scenariosOfTheCase() },
  thresholds: stage.thresholds,
  tags: { stage: settings.stage, profile: settings.profile },
  setupTimeout: '30s',
  teardownTimeout: '200s',
  userAgent: 'sheets-quota-gateway-k6',
};

// --- one request

function params(kind: Kind, name: string, { hasBody = false } = {}): RefinedParams<'text'> {
  const headers: Record<string, string> = {};
  if (hasBody) headers['Content-Type'] = 'application/json';
  if (settings.apiKey !== '') headers['Authorization'] = `Bearer ${settings.apiKey}`;
  // `name` keeps one line per route in k6's output, instead of one per row.
  return { headers, tags: { operation: kind, name }, responseType: 'text', timeout: '15s' };
}
const keyUrl = (id: string) => `${rowsUrl}/${encodeURIComponent(id)}`;
const isServed = ({ status }: Answer) => status >= 200 && status < 300;

function bodyOf(answer: Answer): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

/** What is asked of every answer, whatever the request was. */
function judge(answer: Answer, kind: Kind): void {
  const tags = { operation: kind };
  const served = isServed(answer);
  requestsLost.add(!served, tags);
  check(answer, { 'the status is one that this stage may give': ({ status }) => stage.statusesAllowed.includes(status) }, tags);
  if (!stage.countsQuota) return;

  const consumed = answer.headers['X-Quota-Consumed'];
  const degraded = answer.headers['X-System-Degraded'];
  check(
    answer,
    {
      'X-Quota-Consumed is a count': () => consumed !== undefined && /^\d+$/.test(consumed),
      'X-System-Degraded is true or false': () => degraded === 'true' || degraded === 'false',
    },
    tags,
  );
  if (consumed !== undefined) quotaConsumed.add(Number(consumed), tags);
  answersDegraded.add(degraded === 'true', tags);
}

// --- the operations, each exactly one request

const ownRows = new OwnRows();

function list(): void {
  const answer = http.get(`${rowsUrl}?limit=100`, params('read', 'GET /sheets/:sheet/rows'));
  judge(answer, 'read');
  if (isServed(answer)) check(answer, { 'a list answers JSON': () => bodyOf(answer) !== undefined });
}

function readBack(): void {
  const expected = ownRows.latest();
  const answer = http.get(keyUrl(expected.id), params('read', 'GET /sheets/:sheet/rows/:key'));
  judge(answer, 'read');
  if (!isServed(answer)) return;
  const mayBeOld = answer.headers['X-System-Degraded'] === 'true' && !stage.degradedReadsShowWrites;
  if (!mayBeOld) check(answer, { 'a read shows my last write': () => shows(bodyOf(answer), expected) });
}

function shows(body: unknown, expected: Order): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const row = body as Partial<Record<string, unknown>>;
  return row['id'] === expected.id && row['status'] === expected.status && Number(row['quantity']) === expected.quantity;
}

function create(): void {
  const { iterationInTest, name } = exec.scenario;
  const now = new Date();
  const id = `k6-${now.getTime().toString(36)}-${name}-${iterationInTest}`;
  const order = makeOrder(id, iterationInTest, now);
  const answer = http.post(rowsUrl, JSON.stringify(order), params('write', 'POST /sheets/:sheet/rows', { hasBody: true }));
  judgeWrite(answer);
  if (isServed(answer)) ownRows.acknowledged(order);
}

function change(): void {
  const before = ownRows.latest();
  const after: Order = { ...before, status: statusAfter(before.status) };
  const body = JSON.stringify({ status: after.status });
  const answer = http.patch(keyUrl(before.id), body, params('write', 'PATCH /sheets/:sheet/rows/:key', { hasBody: true }));
  judgeWrite(answer);
  if (isServed(answer)) ownRows.acknowledged(after);
  // A refusal changed nothing. Any other error leaves open whether the write was done.
  else if (answer.status !== 429) ownRows.forget(before.id);
}

function remove(): void {
  const { id } = ownRows.latest();
  const answer = http.del(keyUrl(id), null, params('write', 'DELETE /sheets/:sheet/rows/:key'));
  judgeWrite(answer);
  if (answer.status !== 429) ownRows.forget(id);
}

function judgeWrite(answer: Answer): void {
  judge(answer, 'write');
  if (answer.status !== 202) return;
  check(answer, { 'a 202 says where its receipt is': ({ headers }) => /\/writes\/[^/]+$/.test(headers['Location'] ?? '') });
}

// --- what k6 calls

/** One look before the load: a wrong key, sheet or stage shall not take five minutes to show. Costs one upstream call. */
export function setup(): void {
  const expectAnything = http.expectedStatuses({ min: 100, max: 599 });
  const ready = http.get(`${settings.baseUrl}/health/ready`, { responseCallback: expectAnything });
  if (ready.status !== 200) fail(`${settings.baseUrl}/health/ready answers ${ready.status} ${ready.error}: is the gateway up?`);

  const look = http.get(`${rowsUrl}?limit=1`, { ...params('read', 'setup'), responseCallback: expectAnything });
  if (look.status === 401 || look.status === 403) fail(`the gateway wants a key: set API_KEY (it answered ${look.status})`);
  if (look.status === 404) fail(`the spreadsheet has no sheet '${settings.sheet}': set SHEET. The gateway says: ${look.body}`);
  if (stage.countsQuota && look.headers['X-Quota-Consumed'] === undefined) {
    fail(
      `STAGE=${settings.stage}, but the gateway does not count (no X-Quota-Consumed): start it with PROTECTION=${settings.stage}`,
    );
  }
}

/** The function of all four scenarios. */
export function mixedTraffic(): void {
  const operations = { list, readBack, create, change, remove };
  operations[operationFor(Math.random(), ownRows.count > 0)]();
}

/** How long the writes that are still pending may take to reach the spreadsheet: two windows of the quota. */
const PERSISTED_WITHIN_SECONDS = 120;

/** After the load: nothing that was accepted may be left behind. */
export function teardown(): void {
  if (!stage.queuesWrites) return;
  let pending: string | undefined;
  for (let waitedSeconds = 0; waitedSeconds <= PERSISTED_WITHIN_SECONDS; waitedSeconds += 2) {
    pending = http.get(`${rowsUrl}?limit=1`, params('read', 'teardown')).headers['X-Pending-Writes'];
    if (pending === '0') break;
    sleep(2);
  }
  check(pending, { 'every accepted write has reached the spreadsheet': (left) => left === '0' });
}

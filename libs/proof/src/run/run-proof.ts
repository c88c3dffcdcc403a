/**
 * One run: starts a private Redis, the mock, two gateways and a drain; lets clients work while things go wrong; heals everything,
 * waits until nothing is pending, and has the spreadsheet, the receipts and the history judged.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '@app/local-stack';
import { monotonicMs, pause } from '@app/platform';
import { HistoryChecker, type FinalReceipt, type FinalState, type SeenRow, type Violation } from '../history';
import { ProofClient } from './client';
import { Counts } from './counts';
import { Gate } from './gate';
import { expectOk, send } from './http';
import { Member, RedisMember } from './members';
import { LAG_MS, Nemesis } from './nemesis';
import { Person } from './person';
import { Random } from './random';
import { GATEWAY_ENV, MOCK_ENV, type ProofSettings } from './settings';
import { Spreadsheet, TABS } from './spreadsheet';

export interface ProofResult {
  readonly violations: readonly Violation[];
  /** What went wrong on purpose, in the time before the first violation, or before the end. */
  readonly trouble: readonly string[];
  /** What is wrong besides: a process that ended by itself, writes that stay pending. */
  readonly problems: readonly string[];
  readonly counts: Counts;
  readonly seconds: number;
  readonly upstreamCalls: number;
}

const PROGRESS_EVERY_MS = 5_000;
const WATCH_EVERY_MS = 100;

/** Trouble so long before the first violation is told with it. */
const TROUBLE_TOLD_MS = 15_000;

/** The longest pause of a spreadsheet after failures is 30 s; the work that has gathered comes on top. */
const REST_PATIENCE_MS = 90_000;

/** How long a person waits for the others to have done before they give up moving rows. */
const QUIET_PATIENCE_MS = 3_000;

const UNSETTLED = 'accepted,sending,unknown';

export async function runProof(settings: ProofSettings): Promise<ProofResult> {
  const directory = mkdtempSync(join(tmpdir(), 'prove-writes-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    return await runIn(directory, settings, stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runIn(directory: string, settings: ProofSettings, stops: (() => Promise<void>)[]): Promise<ProofResult> {
  const { print, troubles } = settings;
  const random = new Random(settings.seed);
  const counts = new Counts();
  const problems: string[] = [];
  const complain = (problem: string): void => void problems.push(problem);

  const redis = await RedisMember.start(join(directory, 'redis'));
  stops.push(() => redis.stop());
  const mock = await startApp({ name: 'sheets-mock', env: MOCK_ENV });
  stops.push(() => mock.kill());
  const spreadsheet = new Spreadsheet(mock.baseUrl);
  await spreadsheet.makeTabs();
  const acceptClashingIds = settings.without === 'clash-refusal';
  await spreadsheet.faults([], acceptClashingIds);

  const env = {
    ...GATEWAY_ENV,
    ...settings.gatewayEnv,
    REDIS_URL: redis.url,
    UPSTREAM_BASE_URL: mock.baseUrl,
    ...(settings.without === undefined ? {} : { TEST_WITHOUT: settings.without }),
  };
  const members: Member[] = [];
  for (const [name, role] of [
    ['gateway 1', 'api'],
    ['gateway 2', 'api'],
    ['the drain', 'drain'],
  ] as const) {
    const member = await Member.create(name, { ...env, ROLE: role }, counts, complain);
    members.push(member);
    stops.push(() => member.stop());
  }
  await Promise.all(members.map((member) => member.start()));
  const gateways = members.slice(0, 2).map((member) => member.baseUrl);

  const checker = new HistoryChecker(new Set(['ledger']));
  const gate = new Gate();
  const startMs = monotonicMs();
  const endMs = startMs + settings.durationMs;
  const seen = (): boolean => settings.untilViolation === true && checker.violations.length > 0;
  const over = (): boolean => monotonicMs() >= endMs || seen();
  // Clients come to an end when all is well again, so that none is left without an answer that it could have had.
  let healed = false;

  const whileQuiet = async (work: () => Promise<void>): Promise<void> => {
    await gate.whileClosed(async () => {
      if (!members.every((member) => member.isResponsive) || !(await nothingPending(gateways, QUIET_PATIENCE_MS))) return;
      const { isLagging } = nemesis;
      await work();
      // Until no look at the spreadsheet shows where the rows were before.
      if (isLagging || nemesis.isLagging) await pause(LAG_MS + LAG_MARGIN_MS);
    });
  };
  const person = new Person(random.split(), { spreadsheet, checker, counts, whileQuiet, stopped: over });
  const nemesis = new Nemesis(
    random.split(),
    { members, redis, spreadsheet, counts, acceptClashingIds, stopped: over },
    new Set(troubles),
    settings.faultsOnly,
  );
  const clients = Array.from(
    { length: settings.clients },
    (_, at) =>
      new ProofClient(`c${at + 1}`, random.split(), {
        gateways,
        checker,
        counts,
        gate,
        appendsOnly: settings.appendsOnly === true,
        isOver: over,
        gaveUp: () => healed || seen(),
      }),
  );
  const working = Promise.all(clients.map((client) => client.run()));
  const making = Promise.all([nemesis.run(), ...(troubles.includes('person') ? [person.run()] : [])]);
  let firstViolationMs = Infinity;
  const watch = setInterval(() => {
    if (checker.violations.length > 0) firstViolationMs = Math.min(firstViolationMs, monotonicMs());
  }, WATCH_EVERY_MS);
  const progress = setInterval(() => print(progressLine(monotonicMs() - startMs, checker, counts)), PROGRESS_EVERY_MS);
  try {
    await making;
    for (const member of members) await member.untilUp();
    const answered = new AbortController();
    void pause(GRACE_FOR_CLIENTS_MS, answered.signal).then(() => (healed = true));
    await working;
    answered.abort();
    if (!seen() && !(await nothingPending(gateways, REST_PATIENCE_MS))) complain(await pendingLine(gateways));
  } finally {
    clearInterval(progress);
    clearInterval(watch);
  }
  if (!seen()) checker.finish(await finalState(spreadsheet, gateways, person));
  const seconds = (monotonicMs() - startMs) / 1_000;
  const untilMs = Math.min(firstViolationMs, monotonicMs());
  const trouble = counts.notesBetween(untilMs - TROUBLE_TOLD_MS, untilMs);
  return { violations: checker.violations, trouble, problems, counts, seconds, upstreamCalls: await spreadsheet.callCount() };
}

const LAG_MARGIN_MS = 500;

/** How long clients ask again after all is well, for those answers that they still lack. */
const GRACE_FOR_CLIENTS_MS = 20_000;

function progressLine(elapsedMs: number, checker: HistoryChecker, counts: Counts): string {
  const writes = counts.total('appends') + counts.total('patches') + counts.total('deletes');
  return (
    `${(elapsedMs / 1_000).toFixed(0).padStart(4)} s  ${writes} writes, ${counts.total('reads')} reads, ${counts.total('kills')} kills, ` +
    `${counts.total('pauses')} pauses, ${counts.total('faults')} faults, ${checker.violations.length} violations`
  );
}

interface Receipt {
  readonly id: string;
  readonly state: string;
  readonly reason?: { readonly code: string };
}

async function nothingPending(gateways: readonly string[], patienceMs: number): Promise<boolean> {
  const endMs = monotonicMs() + patienceMs;
  for (let at = 0; ; at += 1) {
    const url = `${gateways[at % gateways.length]}/writes?limit=1&state=${UNSETTLED}`;
    const answer = await send({ method: 'GET', url, timeoutMs: 3_000 });
    if (answer.kind === 'answered' && answer.status === 200 && (answer.body as { writes: Receipt[] }).writes.length === 0)
      return true;
    if (monotonicMs() > endMs) return false;
    await pause(100);
  }
}

async function pendingLine(gateways: readonly string[]): Promise<string> {
  const url = `${gateways[0]}/writes?limit=5&state=${UNSETTLED}`;
  const { writes } = await expectOk<{ writes: Receipt[] }>({ method: 'GET', url });
  return `writes are still pending ${REST_PATIENCE_MS / 1_000} s after all was well again: ${JSON.stringify(writes)}`;
}

async function finalState(spreadsheet: Spreadsheet, gateways: readonly string[], person: Person): Promise<FinalState> {
  const tabs = new Map<string, readonly SeenRow[]>();
  for (const tab of TABS) tabs.set(tab, await spreadsheet.rows(tab));
  const receipts = new Map<string, FinalReceipt>();
  for (let before = ''; ;) {
    const url = `${gateways[0]}/writes?limit=500${before}`;
    const page = await expectOk<{ writes: Receipt[]; next?: number }>({ method: 'GET', url });
    for (const { id, state, reason } of page.writes) receipts.set(id, { state, code: reason?.code });
    if (page.next === undefined) break;
    before = `&before=${page.next}`;
  }
  return { tabs, receipts, personRows: person.rows };
}

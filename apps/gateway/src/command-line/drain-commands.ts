import { monotonicMs, pause } from '@app/platform';
import { duration, table, text, WrongUsage, type Command, type Invocation, type Outcome } from './command';
import type { Pause } from '@app/write-queue';
import type { DrainReport, StatusReport } from '../operations/control/operations.controller';
import { quotaLines } from './quota-commands';

const LOOK_EVERY_MS = 500;
const WAIT_DEFAULT_S = 60;

const SPREADSHEET = { spreadsheet: { type: 'string' } } as const;

export const status: Command = {
  words: 'status',
  summary: 'mode, quotas, drain and pending writes',
  run: async ({ gateway }) => {
    const json = await gateway.get<StatusReport>('/operations/status');
    return { json, lines: statusLines(json) };
  },
};

export const drain: Command = {
  words: 'drain',
  summary: 'send what is pending as soon as quota and pace allow, and wait until it is sent',
  options: { ...SPREADSHEET, wait: { type: 'string' } },
  help: ['--spreadsheet ID   only this one', `--wait SECONDS     how long to wait (${WAIT_DEFAULT_S}; 0: not at all)`],
  run: drainAndWait,
};

export const pauseDrain: Command = {
  words: 'pause',
  summary: 'send no writes upstream until `resume`; they are accepted, and answered 202',
  options: { ...SPREADSHEET, reason: { type: 'string' } },
  help: ['--spreadsheet ID   only this one', '--reason TEXT      for the next operator'],
  run: async ({ gateway, options }) => {
    const json = await gateway.post<Pause>('/operations/pause', {
      spreadsheetId: text(options, 'spreadsheet'),
      reason: text(options, 'reason'),
    });
    return { json, lines: [pauseLine(json)] };
  },
};

export const resumeDrain: Command = {
  words: 'resume',
  summary: 'send writes again',
  options: SPREADSHEET,
  help: ['--spreadsheet ID   only this one (a spreadsheet that was paused by itself is resumed by itself)'],
  run: async ({ gateway, options }) => {
    const json = await gateway.post<{ resumed: boolean }>('/operations/resume', { spreadsheetId: text(options, 'spreadsheet') });
    return { json, lines: [json.resumed ? 'the drain goes on' : 'it was not paused'] };
  },
};

async function drainAndWait({ gateway, options, progress }: Invocation): Promise<Outcome> {
  const waitS = Number(options.wait ?? WAIT_DEFAULT_S);
  if (!(waitS >= 0 && waitS <= 86_400))
    throw new WrongUsage(`--wait: found ${String(options.wait)}, expected seconds from 0 to 86400`);
  const spreadsheetId = text(options, 'spreadsheet');
  const begun = await gateway.post<DrainReport>('/operations/drain', { spreadsheetId });
  const endMs = monotonicMs() + waitS * 1_000;
  let { pending } = begun;
  if (pending > 0) progress(`${pending} pending`);
  while (pending > 0 && monotonicMs() < endMs) {
    await pause(LOOK_EVERY_MS);
    const now = pendingIn(await gateway.get<StatusReport>('/operations/status'), spreadsheetId);
    if (now !== pending) progress(`${now} pending`);
    pending = now;
  }
  const json = { before: begun.pending, pending };
  const sent = begun.pending === 0 ? 'nothing was pending' : `all of ${begun.pending} settled`;
  return {
    json,
    lines: [pending === 0 ? sent : `${pending} of ${begun.pending} still pending`],
    finished: pending === 0 || waitS === 0,
  };
}

function pendingIn({ writes }: StatusReport, spreadsheetId: string | undefined): number {
  return writes.spreadsheets
    .filter((entry) => spreadsheetId === undefined || entry.spreadsheetId === spreadsheetId)
    .reduce((sum, entry) => sum + entry.pendingWrites, 0);
}

function pauseLine({ spreadsheetId, by, at, reason }: Pause): string {
  const what = spreadsheetId === undefined ? 'all spreadsheets' : `spreadsheet ${spreadsheetId}`;
  return `paused: ${what}, since ${at}, by ${by}${reason === undefined ? '' : ` (${reason})`}`;
}

function statusLines({ role, protection, mode, upstream, quotas, drain, writes }: StatusReport): string[] {
  const jobs = Object.entries(drain.jobs).map(([state, count]) => `${count} ${state}`);
  return [
    `mode      ${mode} (role ${role}, protection ${protection})`,
    `upstream  ${upstream.state}${upstream.state === 'ok' ? '' : ` since ${upstream.since}: ${upstream.lastFailure}`}`,
    `jobs      ${jobs.join(', ')}`,
    ...drain.pauses.map(pauseLine),
    '',
    ...quotaLines(quotas),
    '',
    ...(writes.pending === 0
      ? ['no pending writes']
      : table([
          ['spreadsheet', 'pending', 'oldest', ''],
          ...writes.spreadsheets.map((entry) => [
            entry.spreadsheetId,
            String(entry.pendingWrites),
            entry.oldestAgeMs === undefined ? '' : duration(entry.oldestAgeMs),
            entry.paused ? 'paused' : '',
          ]),
        ])),
  ];
}

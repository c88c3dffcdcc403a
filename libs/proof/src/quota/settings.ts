/** What a run is made of. The command line sets what a person changes; tests scale the rest down. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export type QuotaPreset = 'case-study' | 'google';

export interface QuotaProofSettings {
  readonly durationMs: number;
  readonly gateways: number;
  readonly clients: number;
  /** Mean pause of a client between an answer and its next request. */
  readonly thinkMs: number;
  readonly preset: QuotaPreset;
  /** Of the case study's quota; Google's four are what they are. */
  readonly limit: number;
  readonly windowMs: number;
  /** Share of the limit past which the gateways degrade. Up to 0.9: the closer to it, the closer the calls come to the limit. */
  readonly triggerRatio: number;
  /** Absent: no gateway is killed. */
  readonly killEveryMs?: number;
  /** Deadline of one upstream call. A killed gateway's calls hold their places for this, a margin, and a window. */
  readonly upstreamTimeoutMs: number;
  /** false: the gateways only count. The control, which has to fail. */
  readonly enforce: boolean;
  readonly seed: number;
  readonly progressEveryMs: number;
  readonly print: (line: string) => void;
}

/** Of the case study: calls a minute. */
export const LIMIT = 300;
export const MINUTE_MS = 60_000;

/** By how much longer than its deadline a gateway counts a call that was never answered. */
export const LEASE_MARGIN_MS = 5_000;

/** Four gateways, the mock, Redis and the clients on two cores: more than this, and the machine is what is measured. */
const REQUESTS_PER_SECOND = 120;

/** Less, and a machine with little to do would turn few clients into a flood. */
const THINK_LEAST_MS = 100;

const KILL_EVERY_MS = 5_000;
const UPSTREAM_TIMEOUT_MS = 10_000;
const PROGRESS_EVERY_MS = 10_000;

const USAGE = `usage: npm run prove:quota -- [--minutes 3] [--gateways 4] [--clients 500] [--quota case-study|google] [--trigger 0.5]
                             [--kills] [--without-enforcing] [--seed N] [--json FILE]
  --quota    the case study's 300 calls a minute, or Google's four quotas
  --trigger  share of the limit past which the gateways degrade, from 0.1 to 0.9
  --kills    SIGKILL a gateway every few seconds, in the middle of calls, and start it again on the same port
  --without-enforcing  the gateways count and refuse nothing: the control, which has to fail
  --json     write the report to a file`;

/** The command line is wrong; the message says in what, and what is right. */
export class UsageError extends Error {}

export interface CommandLine {
  readonly settings: Omit<QuotaProofSettings, 'print'>;
  readonly json?: string;
}

export function readCommandLine(words: readonly string[]): CommandLine {
  const given = parse(words);
  const number = (name: 'minutes' | 'gateways' | 'clients' | 'trigger' | 'seed', least: number, most: number): number => {
    const value = Number(given[name]);
    const isSound = given[name]?.trim() !== '' && value >= least && value <= most;
    if (!isSound) throw new UsageError(`--${name}: expected a number from ${least} to ${most}, got ${given[name]}\n${USAGE}`);
    return value;
  };
  const whole = (name: 'gateways' | 'clients' | 'seed', most: number): number => {
    const value = number(name, 1, most);
    if (!Number.isInteger(value)) throw new UsageError(`--${name}: expected a whole number, got ${value}\n${USAGE}`);
    return value;
  };
  if (given.quota !== 'case-study' && given.quota !== 'google')
    throw new UsageError(`--quota: expected case-study or google, got ${given.quota}\n${USAGE}`);
  const clients = whole('clients', 2_000);
  return {
    settings: {
      durationMs: number('minutes', 0.2, 60) * MINUTE_MS,
      gateways: whole('gateways', 16),
      clients,
      thinkMs: Math.max(THINK_LEAST_MS, (clients * 1_000) / REQUESTS_PER_SECOND),
      preset: given.quota,
      limit: LIMIT,
      windowMs: MINUTE_MS,
      triggerRatio: number('trigger', 0.1, 0.9),
      killEveryMs: given.kills ? KILL_EVERY_MS : undefined,
      upstreamTimeoutMs: UPSTREAM_TIMEOUT_MS,
      enforce: !given['without-enforcing'],
      seed: given.seed === undefined ? randomInt(1, 0x7fffffff) : whole('seed', 0x7fffffff),
      progressEveryMs: PROGRESS_EVERY_MS,
    },
    json: given.json,
  };
}

function parse(words: readonly string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    minutes: text('3'),
    gateways: text('4'),
    clients: text('500'),
    quota: text('case-study'),
    trigger: text('0.5'),
    kills: flag,
    'without-enforcing': flag,
    seed: { type: 'string' },
    json: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

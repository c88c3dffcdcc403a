/** What a run does and how the system under it is configured: everything scaled down, so that minutes hold hours of trouble. */
import { MECHANISMS, STEP_NAMES, type Mechanism } from '@app/platform';

/** Trouble that a run can be told to make. Absent in the settings: all of it. */
export const TROUBLES = ['kills', 'steps', 'pauses', 'redis', 'faults', 'person'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface FaultRule {
  readonly fault: string;
  readonly on?: 'read' | 'write' | 'any';
  readonly probability?: number;
  readonly delayMs?: number;
  readonly text?: string;
  readonly scope?: 'project' | 'user';
  readonly limitValue?: number;
}

export interface ProofSettings {
  readonly seed: number;
  readonly durationMs: number;
  readonly clients: number;
  readonly troubles: readonly Trouble[];
  /** These faults and no others, all the time. */
  readonly faultsOnly?: readonly FaultRule[];
  /** Nothing but appends to tabs that nobody touches: batches of those alone are sent again as they are. */
  readonly appendsOnly?: boolean;
  /** A mechanism that the system runs without, to see that the checker sees it. */
  readonly without?: Mechanism;
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  /** Ends the run with its first violation. */
  readonly untilViolation?: boolean;
  readonly print: (line: string) => void;
}

/** High enough that a good part of a run is direct, low enough that another is degraded. */
const QUOTA_LIMIT = 400;

/** A 429 that names this limit teaches the gateway nothing lower than its own. */
export const TOO_MANY: Omit<FaultRule, 'on'> = { fault: '429', scope: 'project', limitValue: QUOTA_LIMIT };

export const GATEWAY_ENV: Readonly<Record<string, string>> = {
  QUOTA_LIMIT: String(QUOTA_LIMIT),
  QUOTA_WINDOW_MS: '2000',
  QUOTA_MIN_DEGRADED_MS: '500',
  UPSTREAM_TIMEOUT_MS: '1000',
  DIRECT_WRITE_WAIT_MS: '1500',
  DRAIN_PACE_MS: '200',
  LOG_LEVEL: 'warn',
};

/** UPSTREAM_TIMEOUT_MS and the margin that the gateway adds for a busy machine: writer lease and reservations hold so long. */
export const LEASE_MS = 6_000;

export const MOCK_ENV: Readonly<Record<string, string>> = {
  MOCK_QUOTA: 'off',
  MOCK_LATENCY_MS: '24',
  MOCK_LATENCY_JITTER_MS: '12',
};

/** Rows with this text are refused by the mock, always. */
export const POISON = 'poison, refused on purpose';

export class UsageError extends Error {}

export interface CommandLine {
  readonly minutes: number;
  readonly seed: number;
  readonly clients: number;
  readonly json?: string;
  readonly without?: Mechanism;
}

export const USAGE = `npm run prove:writes -- [--minutes M] [--seed N] [--clients C] [--json FILE] [--without ${MECHANISMS.join('|')}]
kills at the steps ${STEP_NAMES.join(', ')}`;

export function readCommandLine(words: readonly string[], randomSeed: () => number): CommandLine {
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) {
    const [name, value] = [words[at], words[at + 1]];
    if (!/^--(minutes|seed|clients|json|without)$/.test(name) || value === undefined) throw new UsageError(USAGE);
    given.set(name.slice(2), value);
  }
  const number = (name: string, otherwise: number, least: number, most: number): number => {
    const value = Number(given.get(name) ?? otherwise);
    if (!(value >= least && value <= most))
      throw new UsageError(`--${name}: found ${given.get(name)}, expected ${least} to ${most}`);
    return value;
  };
  const without = given.get('without');
  if (without !== undefined && !(MECHANISMS as readonly string[]).includes(without)) throw new UsageError(USAGE);
  return {
    minutes: number('minutes', 1, 0.1, 600),
    seed: Math.floor(number('seed', randomSeed(), 0, 0x7fffffff)),
    clients: Math.floor(number('clients', 12, 1, 100)),
    json: given.get('json'),
    without: without as Mechanism | undefined,
  };
}

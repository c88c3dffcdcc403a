import { CIRCUIT_OPTIONS, type CircuitOptions } from '@app/sheets-client';
import { cleanEnv } from 'envalid';
import { VARIABLES, type RequestLogging } from './variables';

export type Role = 'all' | 'api' | 'drain';
/** The four stages of the case: nothing; the ledger and its headers; degraded reads; the write queue too. */
export type Protection = 'off' | 'count' | 'reads' | 'full';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface Configuration {
  readonly port: number;
  readonly host: string;
  readonly role: Role;
  readonly protection: Protection;
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly upstream: {
    readonly baseUrl: string;
    readonly timeoutMs: number;
    readonly circuit: CircuitOptions;
    readonly lagMaxMs: number;
    /** Who calls: account files, and whether the Application Default Credentials. Neither: the mock, which takes anybody. */
    readonly accounts: { readonly files: readonly string[]; readonly applicationDefault: boolean };
  };
  readonly spreadsheetId: string;
  readonly keyColumnName: string;
  readonly quota: {
    readonly preset: 'case-study' | 'google';
    readonly enforce: boolean;
    readonly limit: number;
    readonly windowMs: number;
    readonly triggerRatio: number;
    readonly exitRatio: number;
    readonly minDegradedMs: number;
    readonly leaseMs: number;
  };
  readonly directWriteWaitMs: number;
  readonly drainPaceMs: number;
  readonly fastReads: boolean;
  readonly viewBytesMax: number;
  readonly bodyBytesMax: number;
  readonly apiKeys: readonly string[];
  readonly operator?: Credentials;
  /** May look at the operator pages, and change nothing. */
  readonly operatorReadOnly?: Credentials;
  readonly logLevel: 'error' | 'warn' | 'log' | 'debug';
  readonly logRequests: RequestLogging;
  readonly logFormat: 'auto' | 'json' | 'pretty';
}

/** The configuration is wrong: every problem, each with the variable's name, what it got and what it accepts. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigurationError';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
const MOCK_URL = 'http://127.0.0.1:4100';
const GOOGLE_URL = 'https://sheets.googleapis.com';

/** A call without an answer counts this much longer than its deadline: what a busy machine needs to destroy the socket. */
const LEASE_MARGIN_MS = 5_000;

/** Values of these never appear in a message. */
const SECRET = new Set(['API_KEYS', 'OPERATOR_PASSWORD', 'OPERATOR_READONLY_PASSWORD']);

export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const problems: string[] = [];
  // An empty value means "not set": compose files and shells produce it for variables that nobody gave.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
  // A copy without envalid's guard: a variable that could not be read is simply absent from it.
  const env = {
    ...cleanEnv(given, VARIABLES, {
      reporter: ({ errors }) => {
        for (const [name, error] of Object.entries(errors)) {
          const found = holdsSecret(name, given[name]) ? 'a value that is not shown' : JSON.stringify(given[name]);
          problems.push(`${name}: found ${found}, expected ${error.message}`);
        }
      },
    }),
  };
  const accounts = {
    // Undefined where it could not be read, which is told already.
    files: env.GOOGLE_APPLICATION_CREDENTIALS ?? [],
    applicationDefault: env.GOOGLE_DEFAULT_CREDENTIALS ?? false,
  };
  const real = accounts.files.length > 0 || accounts.applicationDefault;
  problems.push(...relations(env, real));
  if (problems.length > 0) throw new ConfigurationError(problems);

  return {
    port: env.PORT,
    host: env.HOST,
    role: env.ROLE,
    protection: env.PROTECTION,
    redisUrl: env.REDIS_URL,
    keyPrefix: env.KEY_PREFIX,
    upstream: {
      baseUrl: env.UPSTREAM_BASE_URL || (real ? GOOGLE_URL : MOCK_URL),
      timeoutMs: env.UPSTREAM_TIMEOUT_MS,
      circuit: { ...CIRCUIT_OPTIONS, failuresMax: env.UPSTREAM_CIRCUIT_FAILURES },
      lagMaxMs: env.UPSTREAM_LAG_MAX_MS,
      accounts,
    },
    spreadsheetId: env.SPREADSHEET_ID,
    keyColumnName: env.KEY_COLUMN,
    quota: {
      preset: env.QUOTA_PRESET === '' ? (real ? 'google' : 'case-study') : env.QUOTA_PRESET,
      enforce: env.QUOTA_ENFORCE,
      limit: env.QUOTA_LIMIT,
      windowMs: env.QUOTA_WINDOW_MS,
      triggerRatio: env.QUOTA_TRIGGER_RATIO,
      exitRatio: env.QUOTA_EXIT_RATIO,
      minDegradedMs: env.QUOTA_MIN_DEGRADED_MS,
      leaseMs: env.UPSTREAM_TIMEOUT_MS + LEASE_MARGIN_MS,
    },
    directWriteWaitMs: env.DIRECT_WRITE_WAIT_MS,
    drainPaceMs: env.DRAIN_PACE_MS,
    fastReads: env.FAST_READS,
    viewBytesMax: env.VIEW_BYTES_MAX,
    bodyBytesMax: env.BODY_BYTES_MAX,
    apiKeys: env.API_KEYS,
    ...(env.OPERATOR_USER === '' ? {} : { operator: { user: env.OPERATOR_USER, password: env.OPERATOR_PASSWORD } }),
    ...(env.OPERATOR_READONLY_USER === ''
      ? {}
      : { operatorReadOnly: { user: env.OPERATOR_READONLY_USER, password: env.OPERATOR_READONLY_PASSWORD } }),
    logLevel: env.LOG_LEVEL,
    logRequests: env.LOG_REQUESTS,
    logFormat: env.LOG_FORMAT,
  };
}

/** An address may carry a password. */
function holdsSecret(name: string, value: string | undefined): boolean {
  return SECRET.has(name) || (value ?? '').includes('@');
}

/** A variable that could not be read is undefined here: what it got is told already. */
interface Related {
  readonly HOST?: string;
  readonly API_KEYS?: readonly string[];
  readonly OPERATOR_USER: string;
  readonly OPERATOR_PASSWORD: string;
  readonly OPERATOR_READONLY_USER: string;
  readonly OPERATOR_READONLY_PASSWORD: string;
  readonly QUOTA_TRIGGER_RATIO: number;
  readonly QUOTA_EXIT_RATIO: number;
  readonly SPREADSHEET_ID: string;
  readonly UPSTREAM_BASE_URL: string;
  readonly GOOGLE_APPLICATION_CREDENTIALS?: readonly string[];
  readonly GOOGLE_DEFAULT_CREDENTIALS?: boolean;
}

/** What must hold between variables. */
function relations(env: Related, real: boolean): string[] {
  const problems: string[] = [];
  if (env.HOST !== undefined && !LOOPBACK.has(env.HOST) && env.API_KEYS?.length === 0) {
    problems.push(
      `HOST: found ${JSON.stringify(env.HOST)}, expected a loopback address (127.0.0.1, ::1, localhost) as long as API_KEYS is empty`,
    );
  }
  if ((env.OPERATOR_USER === '') !== (env.OPERATOR_PASSWORD === '')) {
    problems.push('OPERATOR_USER, OPERATOR_PASSWORD: found only one of them, expected both or neither');
  }
  if ((env.OPERATOR_READONLY_USER === '') !== (env.OPERATOR_READONLY_PASSWORD === '')) {
    problems.push('OPERATOR_READONLY_USER, OPERATOR_READONLY_PASSWORD: found only one of them, expected both or neither');
  } else if (env.OPERATOR_READONLY_USER !== '' && env.OPERATOR_USER === '') {
    problems.push('OPERATOR_READONLY_USER: found it without OPERATOR_USER, expected somebody who may also act');
  } else if (env.OPERATOR_READONLY_USER !== '' && env.OPERATOR_READONLY_USER === env.OPERATOR_USER) {
    problems.push(
      'OPERATOR_READONLY_USER: found the name of OPERATOR_USER, expected another: the audit log tells people apart by it',
    );
  }
  if (env.QUOTA_EXIT_RATIO >= env.QUOTA_TRIGGER_RATIO) {
    problems.push(
      `QUOTA_EXIT_RATIO: found ${env.QUOTA_EXIT_RATIO}, expected less than QUOTA_TRIGGER_RATIO (${env.QUOTA_TRIGGER_RATIO})`,
    );
  }
  if (real && env.SPREADSHEET_ID === 'mock-spreadsheet') {
    problems.push(
      'SPREADSHEET_ID: found nothing, expected the id of a spreadsheet, since there are credentials for the real service',
    );
  }
  if (!real && /^https:\/\/[^/]*\bgoogleapis\.com$/.test(env.UPSTREAM_BASE_URL ?? '')) {
    problems.push(
      `UPSTREAM_BASE_URL: found ${env.UPSTREAM_BASE_URL} without credentials, expected GOOGLE_APPLICATION_CREDENTIALS or GOOGLE_DEFAULT_CREDENTIALS`,
    );
  }
  if (env.GOOGLE_DEFAULT_CREDENTIALS === true && (env.GOOGLE_APPLICATION_CREDENTIALS ?? []).length > 0) {
    // The library itself reads the variable, as the one file of the Application Default Credentials.
    problems.push('GOOGLE_DEFAULT_CREDENTIALS: found true, expected false as long as GOOGLE_APPLICATION_CREDENTIALS names files');
  }
  return problems;
}

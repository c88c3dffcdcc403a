/**
 * Every variable that the gateway reads, in one table: nobody else looks at the environment. The README's table is checked
 * against this one.
 */
import { isIP } from 'node:net';
import { makeExactValidator, makeValidator, str, type ValidatorSpec } from 'envalid';

function wholeNumber(min: number, max: number): (spec: { default: number; desc: string }) => ValidatorSpec<number> {
  return makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max) throw new TypeError(`a whole number from ${min} to ${max}`);
    return value;
  });
}

/** One of a few words. An empty default means that another variable decides. */
function oneOf<const Word extends string>(
  words: readonly Word[],
): <Default extends Word | ''>(spec: { default: Default; desc: string }) => ValidatorSpec<Word | Default> {
  const validator = makeValidator<string>((input) => {
    if (!(words as readonly string[]).includes(input)) throw new TypeError(`one of ${words.join(', ')}`);
    return input;
  });
  return (spec) => validator(spec) as never;
}

const flag = makeValidator<boolean>((input: string | boolean) => {
  if (typeof input === 'boolean') return input;
  if (!/^(true|false)$/i.test(input)) throw new TypeError('true or false');
  return input.toLowerCase() === 'true';
});

const address = makeValidator<string>((input) => {
  if (isIP(input) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(input))
    throw new TypeError('an IP address or a host name');
  return input;
});

const ratio = makeValidator<number>((input) => {
  const value = Number(input);
  if (!(value > 0 && value <= 1)) throw new TypeError('a number above 0 and at most 1');
  return value;
});

const requestLogging = makeExactValidator<RequestLogging>((input) => {
  if (input === 'all' || input === 'errors' || input === 'none') return input;
  const share = Number(input);
  if (!(share >= 0 && share <= 1)) throw new TypeError('all, errors, none, or a number from 0 to 1');
  return share;
});

const httpUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError('a URL that begins with http:// or https://');
  return input.replace(/\/+$/, '');
});

const redisUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol)) throw new TypeError('a URL that begins with redis:// or rediss://');
  return input;
});

const keyPrefix = makeValidator<string>((input) => {
  if (!/^[a-z0-9-]{1,32}$/.test(input)) throw new TypeError('1 to 32 of a-z, 0-9 and -');
  return input;
});

const list = makeExactValidator<string[]>((input) =>
  String(input)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** API keys shorter than this could be guessed. */
const API_KEY_LENGTH_MIN = 16;

const apiKeys = makeExactValidator<string[]>((input) => {
  const keys = String(input)
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (keys.some((key) => key.length < API_KEY_LENGTH_MIN))
    throw new TypeError(`keys of at least ${API_KEY_LENGTH_MIN} characters, separated by commas`);
  return keys;
});

/** `errors`: answers of 400 and above; a number: these, and that share of the others. */
export type RequestLogging = 'all' | 'errors' | 'none' | number;

const MINUTE_MS = 60_000;

export const VARIABLES = {
  PORT: wholeNumber(1, 65_535)({ default: 3000, desc: 'Port of the gateway' }),
  HOST: address({ default: '127.0.0.1', desc: 'Address to listen on; other than loopback only with API_KEYS' }),
  ROLE: oneOf(['all', 'api', 'drain'])({
    default: 'all',
    desc: 'What this process does: answer clients, drain the queue, or both',
  }),
  PROTECTION: oneOf(['off', 'count', 'reads', 'full'])({
    default: 'full',
    desc: 'Stage of the case: nothing, counting, degraded reads, all',
  }),
  REDIS_URL: redisUrl({ default: 'redis://127.0.0.1:6379', desc: 'The Redis server; npm start sets it to its private one' }),
  KEY_PREFIX: keyPrefix({ default: 'sgw', desc: 'What the keys in Redis begin with; gateways that share a quota share it' }),
  UPSTREAM_BASE_URL: httpUrl({ default: '', desc: 'The Sheets v4 service: the mock by default, the real one with credentials' }),
  UPSTREAM_TIMEOUT_MS: wholeNumber(100, 180_000)({ default: 10_000, desc: 'Deadline of one upstream call' }),
  UPSTREAM_CIRCUIT_FAILURES: wholeNumber(
    0,
    1_000,
  )({
    default: 5,
    desc: 'Failed calls in a row after which a spreadsheet is left alone for a while; 0: never',
  }),
  UPSTREAM_LAG_MAX_MS: wholeNumber(
    1_000,
    60 * MINUTE_MS,
  )({
    default: 200_000,
    desc: 'How long reads of the upstream may lag behind its writes before it counts as restored to an older version',
  }),
  GOOGLE_APPLICATION_CREDENTIALS: list({
    default: [] as string[],
    desc: 'Account files of the real service, separated by commas: of several accounts the one with most room calls',
  }),
  GOOGLE_DEFAULT_CREDENTIALS: flag({
    default: false,
    desc: 'true: the Application Default Credentials of this machine are (one more) account',
  }),
  SPREADSHEET_ID: str({ default: 'mock-spreadsheet', desc: 'The spreadsheet behind /sheets/...' }),
  KEY_COLUMN: str({ default: 'id', desc: 'Name of the column that identifies a row' }),
  QUOTA_PRESET: oneOf(['case-study', 'google'])({
    default: '',
    desc: 'case-study: 300 a minute in all; google: the four real quotas',
  }),
  QUOTA_ENFORCE: flag({ default: true, desc: 'false: count and report only (shadow mode)' }),
  QUOTA_LIMIT: wholeNumber(10, 1_000_000)({ default: 300, desc: 'Calls per window, with the case-study preset' }),
  QUOTA_WINDOW_MS: wholeNumber(
    100,
    10 * MINUTE_MS,
  )({ default: MINUTE_MS, desc: 'The sliding window, with the case-study preset' }),
  QUOTA_TRIGGER_RATIO: ratio({ default: 0.5, desc: 'Share of the limit past which the gateway degrades' }),
  QUOTA_EXIT_RATIO: ratio({ default: 0.4, desc: 'Share of the limit below which it goes back' }),
  QUOTA_MIN_DEGRADED_MS: wholeNumber(1, 10 * MINUTE_MS)({ default: 20_000, desc: 'Least stay in degraded mode' }),
  DIRECT_WRITE_WAIT_MS: wholeNumber(0, 60_000)({ default: 5_000, desc: 'How long a direct write is waited for before 202' }),
  DRAIN_PACE_MS: wholeNumber(0, MINUTE_MS)({ default: 1_000, desc: 'Least time between two drain calls of one spreadsheet' }),
  FAST_READS: flag({ default: true, desc: 'Degraded reads are answered ahead of the framework; false: all go the long way' }),
  VIEW_BYTES_MAX: wholeNumber(
    1_000_000,
    1_000_000_000_000,
  )({ default: 256 * 1024 * 1024, desc: 'Memory for views of sheets, as an estimate; the least recently read go first' }),
  BODY_BYTES_MAX: wholeNumber(1_000, 50_000_000)({ default: 2_000_000, desc: 'Largest request body' }),
  API_KEYS: apiKeys({
    default: [] as string[],
    desc: 'Keys of the clients, separated by commas (Authorization: Bearer, or X-API-Key)',
  }),
  OPERATOR_USER: str({ default: '', desc: 'User name for the operator pages' }),
  OPERATOR_PASSWORD: str({ default: '', desc: 'Password for the operator pages' }),
  OPERATOR_READONLY_USER: str({ default: '', desc: 'User name of those who may look at the operator pages and change nothing' }),
  OPERATOR_READONLY_PASSWORD: str({ default: '', desc: 'Password of those who may only look' }),
  LOG_LEVEL: oneOf(['error', 'warn', 'log', 'debug'])({ default: 'log', desc: 'What is logged at least' }),
  LOG_REQUESTS: requestLogging({
    default: 'all' as RequestLogging,
    desc: 'Which requests get a line: all, errors (400 and above), none, or a share of the successful ones such as 0.01',
  }),
  LOG_FORMAT: oneOf(['auto', 'json', 'pretty'])({ default: 'auto', desc: 'auto: pretty on a terminal, else JSON' }),
};

export const CONFIGURATION_VARIABLES: readonly string[] = Object.keys(VARIABLES);

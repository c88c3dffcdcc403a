/** The environment of the mock, read once; all that is wrong with it is reported together. */
import { bool, cleanEnv, makeValidator, str } from 'envalid';
import { CASE_STUDY, GOOGLE, type QuotaSettings } from './quota/quota-models';

export interface MockConfiguration {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly quota: QuotaSettings;
  readonly latencyMs: number;
  readonly latencyJitterMs: number;
  /** Where spreadsheets are kept; absent means in memory only. */
  readonly dataDir?: string;
  readonly spreadsheetId: string;
  readonly acceptClashingMetadataIds: boolean;
  /** A JSON file with the tabs of the first spreadsheet; absent: the coffee shop. */
  readonly seedFile?: string;
  /** A JSON file that `POST /control/script` would take: set before the first call. */
  readonly scriptFile?: string;
}

export class ConfigurationError extends Error {}

const wholeNumber = (least: number, most: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return value;
  });

const identifier = makeValidator<string>((text) => {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(text)) throw new Error('1 to 100 of letters, digits, - and _');
  return text;
});

const QUOTAS: Readonly<Record<string, QuotaSettings>> = { 'case-study': CASE_STUDY, google: GOOGLE, off: { model: 'off' } };
/** A call that takes longer is what the fault `hang` is for. */
const LATENCY_MAX_MS = 60_000;

const quotaName = makeValidator<string>((text) => {
  if (!Object.hasOwn(QUOTAS, text)) throw new Error(`one of ${Object.keys(QUOTAS).join(', ')}`);
  return text;
});

const SPECIFICATION = {
  MOCK_HOST: str({ default: '127.0.0.1' }),
  MOCK_PORT: wholeNumber(0, 65_535)({ default: 4100 }),
  MOCK_QUOTA: quotaName({ default: 'case-study' }),
  MOCK_LATENCY_MS: wholeNumber(0, LATENCY_MAX_MS)({ default: 100 }),
  MOCK_LATENCY_JITTER_MS: wholeNumber(0, LATENCY_MAX_MS)({ default: 20 }),
  MOCK_DATA_DIR: str({ default: '' }),
  MOCK_SPREADSHEET_ID: identifier({ default: 'mock-spreadsheet' }),
  MOCK_ACCEPT_CLASHING_METADATA_IDS: bool({ default: false }),
  MOCK_SEED_FILE: str({ default: '' }),
  MOCK_SCRIPT_FILE: str({ default: '' }),
};

/** The names of all variables that the mock reads. */
export const MOCK_VARIABLES: readonly string[] = Object.keys(SPECIFICATION);

export function readConfiguration(environment: NodeJS.ProcessEnv): MockConfiguration {
  const problems: string[] = [];
  const env = cleanEnv(environment, SPECIFICATION, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        problems.push(`${name}: got "${environment[name] ?? ''}", accepted is ${error.message}`);
      }
    },
  });
  if (problems.length > 0) {
    throw new ConfigurationError(
      `The configuration of sheets-mock has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`,
    );
  }
  return {
    host: env.MOCK_HOST,
    port: env.MOCK_PORT,
    quota: QUOTAS[env.MOCK_QUOTA],
    latencyMs: env.MOCK_LATENCY_MS,
    latencyJitterMs: env.MOCK_LATENCY_JITTER_MS,
    ...(env.MOCK_DATA_DIR === '' ? {} : { dataDir: env.MOCK_DATA_DIR }),
    spreadsheetId: env.MOCK_SPREADSHEET_ID,
    acceptClashingMetadataIds: env.MOCK_ACCEPT_CLASHING_METADATA_IDS,
    ...(env.MOCK_SEED_FILE === '' ? {} : { seedFile: env.MOCK_SEED_FILE }),
    ...(env.MOCK_SCRIPT_FILE === '' ? {} : { scriptFile: env.MOCK_SCRIPT_FILE }),
  };
}

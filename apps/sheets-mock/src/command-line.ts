/** The options of the command: each stands for a variable of the environment, and wins over it. */
import { parseArgs } from 'node:util';

const OPTIONS: Readonly<Record<string, { readonly variable: string; readonly value: string; readonly meaning: string }>> = {
  port: { variable: 'MOCK_PORT', value: 'N', meaning: 'where to listen (4100); 0 takes a free port and prints it' },
  host: { variable: 'MOCK_HOST', value: 'ADDRESS', meaning: 'on which address (127.0.0.1): the mock asks nobody who they are' },
  quota: { variable: 'MOCK_QUOTA', value: 'case-study|google|off', meaning: 'the quota (case-study)' },
  latency: { variable: 'MOCK_LATENCY_MS', value: 'MS', meaning: 'middle of the time that a call takes (100)' },
  jitter: { variable: 'MOCK_LATENCY_JITTER_MS', value: 'MS', meaning: 'at most so much more or less (20); drawn from a seed' },
  data: { variable: 'MOCK_DATA_DIR', value: 'DIR', meaning: 'keep spreadsheets in this folder (none: in memory)' },
  'spreadsheet-id': { variable: 'MOCK_SPREADSHEET_ID', value: 'ID', meaning: 'of the first spreadsheet (mock-spreadsheet)' },
  'seed-file': {
    variable: 'MOCK_SEED_FILE',
    value: 'FILE',
    meaning: 'its tabs: {"title", "sheets": {"tab": [["id", "name"], [1, "Ann"]]}}',
  },
  faults: {
    variable: 'MOCK_SCRIPT_FILE',
    value: 'FILE',
    meaning: 'a script of faults, latency, quota, access and clock, as POST /control/script takes it',
  },
};

export const USAGE = `usage: sheets-mock [options]

A stand-in for the Google Sheets v4 API, on this machine.

${Object.entries(OPTIONS)
  .map(([name, { value, meaning, variable }]) => `  ${`--${name} ${value}`.padEnd(32)} ${meaning}; ${variable}`)
  .join('\n')}
  ${'--clock TIME'.padEnd(32)} stand still at this time (ISO 8601, or milliseconds since 1970), until PUT /control/clock moves it
  ${'--help'.padEnd(32)} this text

It runs until SIGTERM or Ctrl-C, then ends with 0. It ends with 1 where it cannot start, with 2 where an option is not understood.
`;

export interface Asked {
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds since 1970 at which the clock stands still. */
  readonly clockMs?: number;
  readonly help: boolean;
}

/** An option that is not understood. */
export class UsageError extends Error {}

export function readCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Asked {
  const options = Object.fromEntries([...Object.keys(OPTIONS), 'clock'].map((name) => [name, { type: 'string' as const }]));
  let values: Readonly<Record<string, string | boolean | undefined>>;
  try {
    ({ values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const given = Object.entries(OPTIONS).filter(([name]) => values[name] !== undefined);
  return {
    environment: { ...environment, ...Object.fromEntries(given.map(([name, { variable }]) => [variable, String(values[name])])) },
    ...(values.clock === undefined ? {} : { clockMs: timeIn(String(values.clock)) }),
    help: values.help === true,
  };
}

function timeIn(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(ms)) throw new UsageError(`--clock: found ${JSON.stringify(text)}, expected a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970`); // prettier-ignore
  return ms;
}

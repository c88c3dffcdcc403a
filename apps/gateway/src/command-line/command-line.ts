/**
 * `npm run gateway -- <command>`: the operators' command line. It speaks HTTP to a running gateway and nothing else, so it can do
 * no more than the operator whose name it gives.
 *
 *   0 done    1 the gateway said no    2 wrong usage    3 no gateway answers    4 not finished in the time given
 */
import { parseArgs } from 'node:util';
import { WrongUsage, type Command, type Options, type OptionsConfig } from './command';
import { drain, pauseDrain, resumeDrain, status } from './drain-commands';
import { gatewayAt, Refused, Unreachable, type OperatorCredentials } from './operator-client';
import { quotaReset, quotaShow } from './quota-commands';
import { snapshotRefresh } from './snapshot-commands';
import { writesCancel, writesList, writesRetry } from './write-commands';

export const COMMANDS: readonly Command[] = [
  status,
  drain,
  pauseDrain,
  resumeDrain,
  writesList,
  writesRetry,
  writesCancel,
  snapshotRefresh,
  quotaShow,
  quotaReset,
];

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, url: { type: 'string' } } as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** @returns the exit code. */
export async function runCommandLine(args: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const json = args.includes('--json');
  const fail = (code: number, error: Error, body: unknown): number => {
    if (json) terminal.out(JSON.stringify({ error: body }));
    else terminal.err(error.message);
    return code;
  };
  try {
    return await run(args, environment, terminal);
  } catch (error) {
    if (error instanceof WrongUsage || isParseError(error)) {
      const { message } = error;
      return fail(2, new WrongUsage(`${message}\n\`npm run gateway -- --help\` lists the commands`), {
        code: 'wrong-usage',
        message,
      });
    }
    if (error instanceof Refused) return fail(1, error, error.body);
    if (error instanceof Unreachable) return fail(3, error, { code: 'unreachable', message: error.message });
    throw error;
  }
}

async function run(args: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const words = leadingWords(args);
  const command = COMMANDS.find(({ words: name }) => words.join(' ') === name || words.join(' ').startsWith(`${name} `));
  if (command === undefined) {
    if (words.length > 0) throw new WrongUsage(`there is no command ${JSON.stringify(words.join(' '))}`);
    const { values } = parseArgs({ args: [...args], options: COMMON });
    overview().forEach(terminal.out);
    return values.help === true ? 0 : 2;
  }
  const options: OptionsConfig = { ...COMMON, ...command.options };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    helpOf(command).forEach(terminal.out);
    return 0;
  }
  const operands = positionals.slice(command.words.split(' ').length);
  if (operands.length > (command.operands?.length ?? 0))
    throw new WrongUsage(`${command.words}: found ${operands.join(' ')} too much`);
  const url = gatewayUrl(values as Options, environment);
  const outcome = await command.run({
    gateway: gatewayAt(url, credentialsIn(environment)),
    options: values as Options,
    operands,
    progress: terminal.err,
  });
  if (values.json === true) terminal.out(JSON.stringify(outcome.json));
  else outcome.lines.forEach(terminal.out);
  return outcome.finished === false ? 4 : 0;
}

function leadingWords(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, end < 0 ? undefined : end);
}

function gatewayUrl(options: Options, environment: Environment): string {
  const given = options.url ?? environment.GATEWAY_URL ?? `http://127.0.0.1:${environment.PORT ?? 3000}`;
  if (typeof given !== 'string' || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new WrongUsage(`--url: found ${JSON.stringify(given)}, expected http://... or https://...`);
  return given;
}

/** An operator who may act, before one who may look. */
function credentialsIn(environment: Environment): OperatorCredentials | undefined {
  for (const name of ['OPERATOR', 'OPERATOR_READONLY']) {
    const [user, password] = [environment[`${name}_USER`], environment[`${name}_PASSWORD`]];
    if (user && password) return { user, password };
  }
  return undefined;
}

function overview(): string[] {
  const width = Math.max(...COMMANDS.map((command) => synopsis(command).length));
  return [
    'npm run gateway -- <command> [options]',
    '',
    ...COMMANDS.map((command) => `  ${synopsis(command).padEnd(width)}  ${command.summary}`),
    '',
    ...COMMON_HELP,
    '',
    'Exit codes: 0 done, 1 the gateway said no, 2 wrong usage, 3 no gateway answers, 4 not finished in the time given.',
  ];
}

const COMMON_HELP = [
  '  --url URL          the gateway (GATEWAY_URL, or http://127.0.0.1:PORT)',
  '  --json             one JSON document on standard output; what goes on meanwhile, on standard error',
  '  --help             what a command does and takes',
  '  OPERATOR_USER and OPERATOR_PASSWORD (or OPERATOR_READONLY_...) in the environment or .env say who asks.',
];

function helpOf(command: Command): string[] {
  return [
    `npm run gateway -- ${synopsis(command)} [options]`,
    '',
    `  ${command.summary}`,
    '',
    ...(command.help ?? []).map((line) => `  ${line}`),
    ...COMMON_HELP,
  ];
}

function synopsis({ words, operands = [] }: Command): string {
  return [words, ...operands].join(' ');
}

function isParseError(error: unknown): error is Error {
  return String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}

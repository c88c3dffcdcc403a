/**
 * The process's log: Nest's lines, the libs' lines and the requests' lines, through one pino instance.
 *
 * JSON, one object a line, written in the background; on a terminal pretty and at once. JSON keeps text from outside in its string; in
 * both forms control characters are escaped, so that no text can begin a line or colour a terminal. What is configured as a secret
 * is struck out of every text, as is what looks like a credential.
 */
import type { LoggerService } from '@nestjs/common';
import { destination, pino, type DestinationStream, type Logger as Pino } from 'pino';
import type { Configuration } from '../configuration';

export type LogLevel = 'error' | 'warn' | 'log' | 'debug';
export type LogFormat = 'auto' | 'json' | 'pretty';

const PINO_LEVELS: Readonly<Record<LogLevel, string>> = { error: 'error', warn: 'warn', log: 'info', debug: 'debug' };

/** What Nest says of itself at every start: of use to nobody who runs the gateway. */
const FRAMEWORK_CONTEXTS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Lines are written when so much has come together, or after so long: one system call for many requests. */
const BUFFER_BYTES = 4_096;
const FLUSH_EVERY_MS = 100;
/** A reader of the log that hangs costs lines past this, not memory without end. */
const BUFFER_BYTES_MAX = 16 * 1024 * 1024;
/** A text longer than this is cut: a message may quote an answer of the upstream. */
const TEXT_CHARACTERS_MAX = 4_000;

const CREDENTIALS =
  /\b(Bearer|Basic) +[\w.~+/=-]{6,}|ya29\.[\w.-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END|$)|:\/\/[^\s/@]*:[^\s/@]*@/g;
// eslint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

export type LoggerSettings = Pick<Configuration, 'logLevel' | 'logFormat' | 'apiKeys' | 'operator' | 'redisUrl'>;

/** @param stream where lines go instead of standard output, for tests */
export function createPino({ logLevel, logFormat }: LoggerSettings, stream?: DestinationStream): Pino {
  const options = {
    level: PINO_LEVELS[logLevel],
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stream ?? (isPretty(logFormat) ? prettyStream() : backgroundStream()));
}

function isPretty(format: LogFormat): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true);
}

function backgroundStream(): DestinationStream {
  // Pino writes the rest at the end of the process, however that comes.
  return destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: BUFFER_BYTES_MAX,
  });
}

function prettyStream(): DestinationStream {
  // Loaded where it is used: servers write JSON.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import() would make the logger wait for it
  const pretty = require('pino-pretty') as typeof import('pino-pretty');
  return pretty({ sync: true, colorize: process.stdout.isTTY === true, translateTime: 'SYS:HH:MM:ss.l', messageFormat: '{msg}' });
}

export class GatewayLogger implements LoggerService {
  readonly pino: Pino;
  private readonly clean: (text: string) => string;

  constructor(settings: LoggerSettings, stream?: DestinationStream) {
    this.pino = createPino(settings, stream);
    this.clean = cleaner(settings);
  }

  log(message: unknown, ...rest: unknown[]): void {
    if (!FRAMEWORK_CONTEXTS.has(String(rest.at(-1)))) this.write('info', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest gives the context last, and for an error its stack before that. */
  private write(level: 'info' | 'warn' | 'error' | 'debug' | 'fatal', message: unknown, rest: readonly unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const texts = rest.filter((each): each is string => typeof each === 'string');
    const context = texts.at(-1);
    const stack = texts.length > 1 ? texts[0] : message instanceof Error ? message.stack : undefined;
    this.pino[level](
      { ...(context === undefined ? {} : { context }), ...(stack === undefined ? {} : { stack: this.clean(stack) }) },
      this.clean(message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message)),
    );
  }
}

/** Strikes out secrets and credentials, escapes control characters (a stack keeps its lines), and cuts. */
export function cleaner({ apiKeys, operator, redisUrl }: LoggerSettings): (text: string) => string {
  const redisPassword = URL.canParse(redisUrl) ? decodeURIComponent(new URL(redisUrl).password) : '';
  const secrets = [...apiKeys, operator?.password ?? '', redisPassword].filter((secret) => secret !== '');
  return (text) => {
    let clean = text.slice(0, TEXT_CHARACTERS_MAX);
    for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
    return clean
      .replace(CREDENTIALS, '[redacted]')
      .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  };
}

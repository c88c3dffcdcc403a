import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'log', 'debug'];

/** What Nest says of itself at every start: of use to nobody who runs the gateway. */
const FRAMEWORK_CONTEXTS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** The gateway's own lines, from a level on. */
export class GatewayLogger extends ConsoleLogger {
  constructor(lowest: string) {
    super({ logLevels: LEVELS.slice(0, LEVELS.indexOf(lowest as LogLevel) + 1), colors: process.stdout.isTTY === true });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!FRAMEWORK_CONTEXTS.has(String(rest.at(-1)))) super.log(message, ...(rest as [string]));
  }
}

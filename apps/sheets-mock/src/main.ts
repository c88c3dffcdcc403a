import { readCommandLine, USAGE, UsageError } from './command-line';
import { ConfigurationError, readConfiguration, type MockConfiguration } from './configuration';
import { startSheetsMock } from './sheets-mock';

async function main(): Promise<void> {
  const { environment, clockMs, help } = readCommandLine(process.argv.slice(2), process.env);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const configuration = readConfiguration(environment);
  const mock = await startSheetsMock(configuration, clockMs);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void mock.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  console.log(`sheets-mock is ready on ${mock.url} (${describe(configuration)})`);
}

function describe({ quota, latencyMs, latencyJitterMs, dataDir, spreadsheetId }: MockConfiguration): string {
  return `spreadsheet ${spreadsheetId}, quota ${quota.model}, latency ${latencyMs} ± ${latencyJitterMs} ms, ${dataDir ? `kept in ${dataDir}` : 'in memory'}`;
}

main().catch((error: unknown) => {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  if (taken)
    console.error(
      `sheets-mock cannot start: the port is in use. Set --port or MOCK_PORT to another one. (${(error as Error).message})`,
    );
  else if (error instanceof UsageError) console.error(`sheets-mock: ${error.message} (--help lists the options)`);
  else console.error(error instanceof ConfigurationError ? error.message : error);
  process.exit(error instanceof UsageError ? 2 : 1);
});

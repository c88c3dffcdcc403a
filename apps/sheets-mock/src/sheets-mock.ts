/** Starts the mock within a process: what main.ts does, and what a test does on a free port. */
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitFor } from '@app/platform';
import { ConfigurationError, type MockConfiguration } from './configuration';
import { readText } from './seed/read-text';
import { readSeedFile } from './seed/seed-file';
import { seedWorkbook } from './seed/seed-workbook';
import { SpreadsheetDisk } from './spreadsheet/disk';
import { SpreadsheetStore } from './spreadsheet/store';
import { SheetsMockModule } from './sheets-mock.module';
import { Clock } from './time/clock';
import { CallFlow } from './v4/call-flow';

/** Longer than any client keeps an idle connection, so that none is closed under a request. */
const KEEP_ALIVE_MS = 75_000;
/** The service takes bodies of some megabytes; beyond this something is wrong with the caller. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;
/** How long calls that run may still take when the mock is told to stop. */
const STOP_PATIENCE_MS = 300;

export interface RunningMock {
  readonly url: string;
  readonly app: NestFastifyApplication;
  stop(): Promise<void>;
}

/** @param clockMs where the clock stands still, in milliseconds since 1970; absent: real time. */
export async function startSheetsMock(configuration: MockConfiguration, clockMs?: number): Promise<RunningMock> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 100_000 },
  });
  const app = await NestFactory.create<NestFastifyApplication>(SheetsMockModule.forConfiguration(configuration), adapter, {
    bodyParser: false,
    logger: ['warn', 'error'],
  });
  readBodies(adapter);
  const store = app.get(SpreadsheetStore);
  const disk = configuration.dataDir === undefined ? undefined : new SpreadsheetDisk(configuration.dataDir, store, (message) => console.error(`sheets-mock: ${message}`)); // prettier-ignore
  fill(store, configuration, disk);
  if (clockMs !== undefined) {
    app.get(Clock).freeze(true);
    app.get(Clock).set(clockMs);
  }
  await app.listen(configuration.port, configuration.host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host;
  const stop = async () => {
    const flow = app.get(CallFlow);
    await waitFor('running calls', () => flow.callsRunning === 0, { timeoutMs: STOP_PATIENCE_MS, everyMs: 10 }).catch(
      () => undefined,
    );
    app.get(Clock).stop();
    await disk?.flush();
    await app.close();
    await disk?.flush();
  };
  const url = `http://${host}:${port}`;
  try {
    if (configuration.scriptFile !== undefined) await runScript(url, configuration.scriptFile);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, app, stop };
}

/** By the control route, which says what is wrong with it. */
async function runScript(url: string, file: string): Promise<void> {
  const response = await fetch(`${url}/control/script`, { method: 'POST', body: readText(file, 'MOCK_SCRIPT_FILE') });
  if (response.ok) return;
  const { error } = (await response.json()) as { error: { message: string } };
  throw new ConfigurationError(`MOCK_SCRIPT_FILE: ${file} is not a script: ${error.message}`);
}

function fill(store: SpreadsheetStore, { spreadsheetId, seedFile }: MockConfiguration, disk: SpreadsheetDisk | undefined): void {
  const kept = disk?.load() ?? [];
  const isKept = kept.some((book) => book.spreadsheetId === spreadsheetId);
  if (disk) disk.watch();
  store.replaceAll(
    isKept ? kept : [...kept, seedFile === undefined ? seedWorkbook(spreadsheetId) : readSeedFile(spreadsheetId, seedFile)],
  );
}

/** The API is given its bodies as they came, the control routes as JSON; no content type is asked for. */
function readBodies(adapter: FastifyAdapter): void {
  const fastify = adapter.getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (!request.url.startsWith('/control')) return done(null, body);
    try {
      done(null, body.length === 0 ? {} : JSON.parse(body.toString()));
    } catch (error) {
      done(Object.assign(new Error(`the body is not JSON: ${(error as Error).message}`), { statusCode: 400 }));
    }
  });
}

import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { ConfigurationError, readConfiguration, type Configuration } from './configuration';
import { REDIS_FOR_REQUESTS } from './core/tokens';
import { createGateway } from './gateway';
import { waitUntilReady } from '@app/platform';

/** Starting without Redis would mean to answer 503 to everything; later outages are survived. */
const REDIS_AT_START_MS = 10_000;

async function main(): Promise<void> {
  const configuration = configurationOrExit();
  if (process.argv.includes('--check-config')) {
    process.stdout.write('configuration is valid\n');
    return;
  }
  try {
    const app = await createGateway(configuration);
    await waitUntilReady(app.get<Redis>(REDIS_FOR_REQUESTS), REDIS_AT_START_MS);
    await app.listen(configuration.port, configuration.host);
    new Logger('gateway').log(`ready on ${await app.getUrl()}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const taken =
      code === 'EADDRINUSE' ? `PORT: ${configuration.port} is in use on ${configuration.host}; set PORT to another` : message;
    process.stderr.write(`the gateway could not start: ${taken}\n`);
    process.exit(1);
  }
}

function configurationOrExit(): Configuration {
  try {
    return readConfiguration(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.problems.map((problem) => `configuration: ${problem}\n`).join('')}`);
    process.exit(1);
  }
}

void main();

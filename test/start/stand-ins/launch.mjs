/** The launcher as `npm start` runs it, with stand-ins in the place of the gateway and the mock: it starts in a moment. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { launch } = createRequire(import.meta.url)(join(here, '../../../dist/libs/local-stack/src/index.js'));

const code = await launch({
  root: process.env.DATA_DIR,
  environment: process.env,
  scripts: { gateway: join(here, 'gateway.mjs'), 'sheets-mock': join(here, 'sheets-mock.mjs') },
  print: console.log,
  complain: console.error,
  stopPatienceMs: 500,
});
process.exit(code);

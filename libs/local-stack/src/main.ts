/** Run by tools/start.mjs when all that it needs is there. */
import { launch } from './launcher/launch';
import { appScript, REPOSITORY_ROOT } from './repository';

// A terminal that was closed takes no more output: that must not cut the end of the children short.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void launch({
  root: REPOSITORY_ROOT,
  environment: process.env,
  scripts: { gateway: appScript('gateway'), 'sheets-mock': appScript('sheets-mock') },
  print: console.log,
  complain: console.error,
}).then((code) => process.exit(code));

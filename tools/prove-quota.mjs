/** `npm run prove:quota -- --minutes M --quota google --kills --json FILE`: what it needs first, then the run, from the compiled code. */
import { ensureAll } from './prepare.mjs';

ensureAll();

const { proveQuota } = (await import('../dist/libs/proof/src/index.js')).default;
process.exitCode = await proveQuota(process.argv.slice(2));

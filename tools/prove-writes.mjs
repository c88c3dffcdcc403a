/** `npm run prove:writes -- --minutes M --seed N --json FILE`: what it needs first, then the run, from the compiled code. */
import { ensureAll } from './prepare.mjs';

ensureAll();

const { proveWrites } = (await import('../dist/libs/proof/src/index.js')).default;
process.exitCode = await proveWrites(process.argv.slice(2));

/** `npm run bench -- --quick --only 1,3 --json FILE --write-docs`: what it needs first, then the run, from the compiled code. */
import { ensureAll } from './prepare.mjs';

ensureAll();

const { bench } = (await import('../dist/libs/bench/src/index.js')).default;
process.exit(await bench(process.argv.slice(2)));

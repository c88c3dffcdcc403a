/** `npm run experiment -- --quick --profile mild --stages off,full --out DIR`: what it needs first, then the run, from the compiled code. */
import { ensureAll } from './prepare.mjs';

ensureAll();

const { experiment } = (await import('../dist/libs/experiment/src/index.js')).default;
process.exitCode = await experiment(process.argv.slice(2));

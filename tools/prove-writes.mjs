/** `npm run prove:writes -- --minutes M --seed N --json FILE`: what it needs first, then the run, from the compiled code. */
import { ensureBuild, ensureDependencies, ensureNode, ensureRedis } from './prepare.mjs';

ensureNode();
ensureDependencies();
ensureRedis();
ensureBuild();

const { proveWrites } = (await import('../dist/libs/proof/src/index.js')).default;
process.exitCode = await proveWrites(process.argv.slice(2));

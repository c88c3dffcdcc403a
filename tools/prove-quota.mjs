/** `npm run prove:quota -- --minutes M --gateways N --clients C --kills --json FILE`: what it needs first, then the run. */
import { ensureBuild, ensureDependencies, ensureNode, ensureRedis } from './prepare.mjs';

ensureNode();
ensureDependencies();
ensureRedis();
ensureBuild();

const { proveQuota } = (await import('../dist/libs/proof/src/index.js')).default;
process.exitCode = await proveQuota(process.argv.slice(2));

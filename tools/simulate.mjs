/** `npm run simulate -- --seed N --runs M [--redis] [--json FILE]`: the quota's simulation, from the compiled code. */
import { ensureBuild, ensureDependencies, ensureNode } from './prepare.mjs';

ensureNode();
ensureDependencies();
ensureBuild();

const { simulate } = (await import('../dist/libs/quota/src/simulation/index.js')).default;
const { startPrivateRedis } = (await import('../dist/libs/local-stack/src/index.js')).default;
process.exitCode = await simulate(process.argv.slice(2), {
  startRedis: () => startPrivateRedis({ extra: ['--appendonly', 'no'] }),
});

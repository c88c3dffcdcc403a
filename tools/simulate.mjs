/** `npm run simulate -- --seed N --runs M [--redis] [--json FILE]`: the quota's simulation, from the compiled code. */
import { existsSync } from 'node:fs';

const entry = new URL('../dist/libs/quota/src/simulation/index.js', import.meta.url);
if (!existsSync(entry)) {
  console.error('The simulation runs from the compiled code, which is not there yet: run `npm run build` first.');
  process.exit(2);
}
const { simulate } = (await import(entry.href)).default;
const { startPrivateRedis } = (await import('../dist/libs/local-stack/src/index.js')).default;
process.exitCode = await simulate(process.argv.slice(2), {
  startRedis: () => startPrivateRedis({ extra: ['--appendonly', 'no'] }),
});

/** `npm run check:config`: says every problem of the configuration, or that there is none, and starts nothing. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild, ensureDependencies, ensureNode, loadDotEnv, root } from './prepare.mjs';

ensureNode();
loadDotEnv();
ensureDependencies();
ensureBuild();
const { status } = spawnSync(process.execPath, [join(root, 'dist/apps/gateway/src/main.js'), '--check-config'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

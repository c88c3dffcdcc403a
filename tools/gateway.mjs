/** `npm run gateway -- <command>`: the operators' command line, from the compiled code. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild, ensureDependencies, ensureNode, loadDotEnv, root } from './prepare.mjs';

// Standard output is the command's own: a program may read it.
console.log = console.error;
ensureNode();
loadDotEnv();
ensureDependencies();
ensureBuild();
const script = join(root, 'dist/apps/gateway/src/command-line/main.js');
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;

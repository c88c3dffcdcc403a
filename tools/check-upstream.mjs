/** `npm run check:upstream -- --write --json`: what it needs first, then the check, in this same process. `--help` says what it does. */
import { ensureBuild, ensureDependencies, ensureNode, loadDotEnv } from './prepare.mjs';

ensureNode();
loadDotEnv();
ensureDependencies();
ensureBuild();
await import('../dist/apps/gateway/src/check-upstream/main.js');

/** `npm run mock -- --port 4100 --quota google`: what it needs first, then the mock, in this same process. `--help` lists the options. */
import { ensureBuild, ensureDependencies, ensureNode } from './prepare.mjs';

ensureNode();
ensureDependencies();
ensureBuild();
await import('../dist/apps/sheets-mock/src/main.js');

/** `npm start`: what it needs first, then the launcher (libs/local-stack/src/launcher), in this same process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild, ensureDependencies, ensureNode, ensureRedis, loadDotEnv, root } from './prepare.mjs';

const parent = process.ppid;
ensureNode();
loadDotEnv();
ensureDependencies();
if (!process.env.REDIS_URL) ensureRedis();
ensureBuild();
// npm was killed meanwhile: its shell does not hand the signal on. From here on the launcher watches for that.
if (process.env.npm_lifecycle_event && process.ppid !== parent) process.exit(1);
await import(pathToFileURL(join(root, 'dist/libs/local-stack/src/main.js')).href);

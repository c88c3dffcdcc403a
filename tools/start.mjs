/** `npm start`: what it needs first, then the launcher (libs/local-stack/src/launcher), in this same process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild, ensureDependencies, ensureNode, ensureRedis, loadDotEnv, root } from './prepare.mjs';

ensureNode();
loadDotEnv();
ensureDependencies();
if (!process.env.REDIS_URL) ensureRedis();
ensureBuild();
await import(pathToFileURL(join(root, 'dist/libs/local-stack/src/main.js')).href);

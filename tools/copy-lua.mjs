/** The TypeScript compiler leaves other files behind: put each beside the compiled code that loads it. */
import { cpSync, lstatSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** Scripts of Redis, and the files of the status page, which the browser gets as they are. */
const PAGE_FOLDER = join('apps', 'gateway', 'src', 'operations', 'status', 'page') + sep;

for (const root of ['libs', 'apps']) {
  cpSync(root, `dist/${root}`, {
    recursive: true,
    filter: (from) => lstatSync(from).isDirectory() || extname(from) === '.lua' || from.startsWith(PAGE_FOLDER),
  });
}

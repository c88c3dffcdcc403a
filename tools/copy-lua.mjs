/** The TypeScript compiler leaves `.lua` files behind: put each beside the compiled code that loads it. */
import { cpSync } from 'node:fs';
import { extname } from 'node:path';
import { lstatSync } from 'node:fs';

for (const root of ['libs']) {
  cpSync(root, `dist/${root}`, { recursive: true, filter: (from) => lstatSync(from).isDirectory() || extname(from) === '.lua' });
}

/** Where things are in this repository, seen from the sources (under jest) and from the build alike. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type AppName = 'gateway' | 'sheets-mock';

export const REPOSITORY_ROOT = findRoot(__dirname);

/** The compiled entry of an app: processes of their own always run the build. */
export function appScript(name: AppName): string {
  return join(REPOSITORY_ROOT, 'dist/apps', name, 'src/main.js');
}

/** Loaded into every child before its own code. */
export const EXIT_WITH_PARENT_SCRIPT = join(REPOSITORY_ROOT, 'dist/libs/local-stack/src/exit-with-parent.js');

function findRoot(from: string): string {
  if (existsSync(join(from, 'nest-cli.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error(`no folder above ${__dirname} holds nest-cli.json`);
  return findRoot(parent);
}

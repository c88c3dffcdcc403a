/**
 * `npm test [jest's arguments]`: what it needs first, then jest, whose global setup starts a private Redis.
 * The runner's own report is kept in .data/test-report.json: `.ci/run` counts from it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureAll, root } from './prepare.mjs';

ensureAll();

const report = join(root, '.data/test-report.json');
mkdirSync(join(root, '.data'), { recursive: true });
// A run that breaks off must not leave the numbers of the one before.
rmSync(report, { force: true });

const jest = spawn(
  process.execPath,
  [join(root, 'node_modules/jest/bin/jest.js'), '--json', `--outputFile=${report}`, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
// Ctrl-C on a terminal reaches jest as well: its end is waited for, so that nothing of it outlives this command.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code) => {
  console.log(`Ran on Node ${process.versions.node}; everything that the tests started was on 127.0.0.1, on free ports.`);
  console.log(`Jest's report: ${relative(root, report)}`);
  process.exitCode = code ?? 1;
});

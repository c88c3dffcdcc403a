/**
 * What the commands of this repository need before they can work: a recent Node, the dependencies, a Redis-compatible server
 * and a build. Each step says what it does when that takes time, says nothing when nothing is to do, and ends the process
 * with one sentence when it cannot go on.
 *
 * Plain JavaScript that uses Node only, and only what old versions have too: it runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest that can `require` an ES module, which Nest 12 is. Versions between the two lines (21, 22.0 to 22.11) cannot. */
const NODE_OLDEST = { 20: 19, 22: 12 };

export function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 22 || (major in NODE_OLDEST && minor >= NODE_OLDEST[major]);
  if (!isNewEnough) giveUp(`Node ${process.versions.node} is too old: install Node 20.19 or later (of Node 22: 22.12 or later).`);
}

/** Settings of this folder, if it has any. What the shell has set wins. */
export function loadDotEnv() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

export function ensureDependencies() {
  if (dependenciesAreInstalled()) return;
  say('installing the dependencies (npm ci) ...');
  // Tools of the build are dependencies too, whatever NODE_ENV says. Packages that ask for a later Node than 20.19 only warn, at
  // length, and work: their ES modules can be required.
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) giveUp('The dependencies could not be installed: npm says why above.');
}

/**
 * Compares the lock file with the one that npm leaves in node_modules at the end of every install, by whomever it was started.
 * An install that was interrupted leaves none.
 */
function dependenciesAreInstalled() {
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    // Optional ones are absent where they do not fit the platform.
    return path in installed ? installed[path].version === version : optional === true;
  });
}

/** The first on the PATH is used. The same list as in libs/local-stack, which is not yet compiled when this runs. */
const REDIS_SERVERS = ['redis-server', 'valkey-server'];

/** The system's package managers, with what the server is called there: the first name that can be installed is taken. */
const PACKAGE_MANAGERS = [
  { command: 'apt-get', refresh: ['update'], install: ['install', '-y', '--no-install-recommends'], names: ['redis-server'] },
  { command: 'dnf', install: ['install', '-y'], names: ['valkey', 'redis'] },
  { command: 'apk', install: ['add', '--no-cache'], names: ['valkey', 'redis'] },
  { command: 'pacman', install: ['-Sy', '--noconfirm', '--needed'], names: ['valkey', 'redis'] },
  // Refuses to run as root, and needs no root.
  { command: 'brew', install: ['install'], names: ['redis'], asUser: true },
];

export function ensureRedis() {
  if (findRedisServer() !== undefined) return;
  const manager = PACKAGE_MANAGERS.find(({ command }) => isOnPath(command));
  const privilege = manager && privilegeFor(manager);
  if (privilege !== undefined) install(manager, privilege);
  if (findRedisServer() !== undefined) return;
  const how = manager ? `\`${manager.asUser ? '' : 'sudo '}${manager.command} ${manager.install[0]} ${manager.names[0]}\`` : '';
  giveUp(
    `No Redis-compatible server is on the PATH (looked for ${REDIS_SERVERS.join(', ')})${
      privilege === undefined ? '' : ', and installing one did not work'
    }: install Redis 7 or later, or Valkey${how && ` (${how})`}, and run this again.`,
  );
}

function install({ command, refresh, install, names }, privilege) {
  say(`installing a Redis-compatible server (${command}) ...`);
  const run = (words) => {
    const [program, ...rest] = [...privilege, command, ...words];
    // Standard input is closed, so that nothing can wait for an answer.
    const { status } = spawnSync(program, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return status === 0;
  };
  if (refresh) run(refresh);
  names.some((name) => run([...install, name]));
}

/** The words to put before a command of `manager` so that it may install; undefined: it may not, without asking a person. */
function privilegeFor({ asUser }) {
  const isRoot = process.getuid?.() === 0;
  if (asUser) return isRoot ? undefined : [];
  if (isRoot) return [];
  const needsNoPassword = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  // sudo drops the environment.
  return needsNoPassword ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : undefined;
}

const findRedisServer = () => REDIS_SERVERS.find(isOnPath);

function isOnPath(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

const BUILD_STAMP = join(root, 'dist/.built-from');

/** Builds unless `dist` was built from exactly these sources by these versions. */
export function ensureBuild() {
  const sources = hashOfSources();
  if (existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === sources) return;
  say('building ...');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) giveUp('The build failed: the compiler says why above.');
  writeFileSync(BUILD_STAMP, sources);
}

function hashOfSources() {
  const hash = createHash('sha256');
  const settings = [
    'package.json',
    'package-lock.json',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tools/copy-lua.mjs',
  ];
  for (const file of [...settings.map((name) => join(root, name)), ...sourcesUnder('apps'), ...sourcesUnder('libs')]) {
    const content = readFileSync(file);
    // With its length, so that no two sets of files run together into the same text.
    hash.update(`${relative(root, file).split(sep).join('/')} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** What the build reads: every .ts that is no test, every .lua, and the files of pages. */
function sourcesUnder(folder) {
  const found = [];
  const visit = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (/\.(ts|lua|html|css|js|svg)$/.test(entry.name) && !entry.name.endsWith('.spec.ts')) found.push(path);
    }
  };
  visit(join(root, folder));
  return found.sort();
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function say(sentence) {
  console.log(`· ${sentence}`);
}

function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Everything that a run from the compiled code on a private Redis needs. */
export function ensureAll() {
  ensureNode();
  ensureDependencies();
  ensureRedis();
  ensureBuild();
}

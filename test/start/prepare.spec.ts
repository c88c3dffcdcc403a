import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY_ROOT } from '@app/local-stack';

/** tools/prepare.mjs in a small repository of its own, with programs that only note how they were called. */
describe('what the commands prepare', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'prepare-'));
    mkdirSync(join(folder, 'tools'));
    mkdirSync(join(folder, 'bin'));
    copyFileSync(join(REPOSITORY_ROOT, 'tools/prepare.mjs'), join(folder, 'tools/prepare.mjs'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  /** A program on the PATH: notes its arguments in `calls`, then does `more` (sh). */
  function program(name: string, more = ''): void {
    write(`bin/${name}`, `#!/bin/sh\n[ "$1" = --version ] || echo "${name} $*" >>"${folder}/calls"\n${more}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }

  function calls(): string[] {
    const file = join(folder, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  function run(step: 'ensureNode' | 'ensureDependencies' | 'ensureRedis' | 'ensureBuild', nodeVersion?: string) {
    const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${nodeVersion}'}})`;
    const preload = nodeVersion === undefined ? [] : ['--import', `data:text/javascript,${pretend}`];
    const code = `import(${JSON.stringify(pathToFileURL(join(folder, 'tools/prepare.mjs')).href)}).then((p) => p.${step}())`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, '-e', code], {
      // Nothing else: neither the machine's Redis nor its package manager.
      env: { PATH: join(folder, 'bin') },
      encoding: 'utf8',
    });
    return { status, out: stdout, errors: stderr };
  }
  const SILENT = { status: 0, out: '', errors: '' };

  describe('Node', () => {
    it.each(['18.20.4', '20.18.3', '21.7.0', '22.11.0'])('says in one sentence that %s is too old', (version) => {
      expect(run('ensureNode', version)).toEqual({
        status: 1,
        out: '',
        errors: `Node ${version} is too old: install Node 20.19 or later (of Node 22: 22.12 or later).\n`,
      });
    });

    it.each(['20.19.0', '22.12.0', '23.0.0', '24.1.0'])('takes %s without a word', (version) => {
      expect(run('ensureNode', version)).toEqual(SILENT);
    });
  });

  describe('the dependencies', () => {
    const lock = (packages: object): string => JSON.stringify({ packages });
    beforeEach(() => {
      program('npm');
      write(
        'package-lock.json',
        lock({ '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } }),
      );
    });

    it('are installed where there are none, those of the build too', () => {
      expect(run('ensureDependencies')).toEqual({ ...SILENT, out: '· installing the dependencies (npm ci) ...\n' });
      expect(calls()).toEqual(['npm ci --include=dev --no-audit --no-fund --loglevel=error']);
    });

    it('are left alone where they are what the lock file says; one for another platform may be missing', () => {
      write('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.0' } }));
      expect(run('ensureDependencies')).toEqual(SILENT);
      expect(calls()).toEqual([]);
    });

    it.each([
      ['another version', { 'node_modules/a': { version: '1.0.1' } }],
      ['one too few', {}],
    ])('are installed again where the lock file changed: %s', (_, installed) => {
      write('node_modules/.package-lock.json', lock(installed));
      run('ensureDependencies');
      expect(calls()).toHaveLength(1);
    });

    it('stop the command when they cannot be installed', () => {
      program('npm', 'exit 1');
      expect(run('ensureDependencies')).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/^The dependencies could not/) as string,
      });
    });
  });

  describe('Redis', () => {
    it.each(['redis-server', 'valkey-server'])('is there when %s is on the PATH', (name) => {
      program(name);
      expect(run('ensureRedis')).toEqual(SILENT);
    });

    it('is installed by the package manager where that asks nobody', () => {
      // As root at once, otherwise by sudo without a password.
      program('sudo', '[ "$2" = true ] && exit 0\nshift 3\nexec "$@"');
      program(
        'apt-get',
        `[ "$1" = update ] || { printf '#!/bin/sh' >"${folder}/bin/redis-server"; /bin/chmod +x "${folder}/bin/redis-server"; }`,
      );
      expect(run('ensureRedis')).toEqual({ ...SILENT, out: '· installing a Redis-compatible server (apt-get) ...\n' });
      expect(calls().filter((call) => call.startsWith('apt-get'))).toEqual([
        'apt-get update',
        'apt-get install -y --no-install-recommends redis-server',
      ]);
    });

    it('is asked for in one sentence where there is no package manager', () => {
      expect(run('ensureRedis')).toEqual({
        status: 1,
        out: '',
        errors:
          'No Redis-compatible server is on the PATH (looked for redis-server, valkey-server): ' +
          'install Redis 7 or later, or Valkey, and run this again.\n',
      });
    });

    it('is asked for, with the command, where installing it does not work', () => {
      program('sudo', '[ "$2" = true ] && exit 0\nshift 3\nexec "$@"');
      program('apk', 'exit 1');
      const { status, errors } = run('ensureRedis');
      expect(errors).toContain('and installing one did not work: install Redis 7 or later, or Valkey (`sudo apk add valkey`)');
      expect(status).toBe(1);
    });
  });

  describe('the build', () => {
    beforeEach(() => {
      program('npm', `/bin/mkdir -p "${folder}/dist"`);
      for (const file of [
        'package.json',
        'package-lock.json',
        'nest-cli.json',
        'tsconfig.json',
        'tsconfig.build.json',
        'tools/copy-lua.mjs',
      ])
        write(file, '{}');
      write('apps/a/src/main.ts', 'a');
      write('libs/b/src/b.lua', 'b');
    });

    it('is made once, and again when a source or a setting changed', () => {
      expect(run('ensureBuild')).toEqual({ ...SILENT, out: '· building ...\n' });
      expect(run('ensureBuild')).toEqual(SILENT);
      for (const path of ['apps/a/src/main.ts', 'libs/b/src/b.lua', 'tsconfig.json', 'libs/b/src/new.ts']) {
        write(path, 'changed');
        run('ensureBuild');
      }
      expect(calls()).toEqual(Array(5).fill('npm run --silent build'));
    });

    it('is not made again for a test', () => {
      run('ensureBuild');
      write('libs/b/src/b.spec.ts', 'expect');
      expect(run('ensureBuild')).toEqual(SILENT);
    });

    it('stops the command when it fails, and is tried again the next time', () => {
      program('npm', `/bin/mkdir -p "${folder}/dist"; exit 2`);
      for (let time = 0; time < 2; time += 1)
        expect(run('ensureBuild')).toMatchObject({ status: 1, errors: 'The build failed: the compiler says why above.\n' });
      expect(calls()).toHaveLength(2);
    });
  });
});

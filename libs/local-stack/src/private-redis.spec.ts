import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@app/platform';
import { cleanEnvironment } from './clean-environment';
import { startPrivateRedis } from './private-redis';
import { commandOf } from './process-command';
import { REPOSITORY_ROOT } from './repository';

describe('a private Redis', () => {
  const directory = mkdtempSync(join(tmpdir(), 'private-redis-spec-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Starts one from a process of its own that then dies without a word; returns the server's process id. */
  async function leaveBehind(orphanGraceSeconds: number): Promise<number> {
    const code = `require(process.argv[1]).startPrivateRedis(JSON.parse(process.argv[2])).then(({ pid }) => {
      console.log(pid);
      setInterval(() => undefined, 1000);
    })`;
    const build = join(REPOSITORY_ROOT, 'dist/libs/local-stack/src/index.js');
    const starter = spawn(process.execPath, ['-e', code, build, JSON.stringify({ directory, orphanGraceSeconds })], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(starter.stdout, 'data')) as [Buffer];
    starter.kill('SIGKILL');
    await once(starter, 'close');
    return Number(pid.toString());
  }

  it('ends by itself when the process that started it was killed', async () => {
    const pid = await leaveBehind(0);
    await waitFor('its end', () => commandOf(pid) === undefined);
  });

  it('takes the place of one that was left behind on the same folder: two would destroy the file', async () => {
    const pid = await leaveBehind(600);
    expect(commandOf(pid)).toContain('server');
    const redis = await startPrivateRedis({ directory });
    expect(commandOf(pid)).toBeUndefined();
    await redis.stop();
  });

  it('does not end a process that by now has the id of one that was left behind', async () => {
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    const first = await startPrivateRedis({ directory });
    const record = JSON.stringify({ pid: bystander.pid, port: first.port });
    await first.stop();
    writeFileSync(join(directory, 'private-redis.json'), record);
    const redis = await startPrivateRedis({ directory });
    expect(commandOf(bystander.pid as number)).toBeDefined();
    await redis.stop();
    bystander.kill();
  });

  it('says in one sentence why it does not start', async () => {
    const start = startPrivateRedis({ extra: ['--no-such-setting', 'x'] });
    await expect(start).rejects.toThrow(/^the private Redis \(\S+\) did not start on port \d+: it ended, saying: [^\n]+$/);
  });

  it('removes its own folder, and keeps one that was named', async () => {
    const named = await startPrivateRedis({ directory });
    const temporary = await startPrivateRedis();
    await Promise.all([named.stop(), temporary.stop()]);
    expect([existsSync(named.directory), existsSync(temporary.directory)]).toEqual([true, false]);
  });
});

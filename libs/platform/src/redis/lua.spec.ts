import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeRedis, connectRedis, loadLuaScript, waitUntilReady } from '@app/platform';
import type { Redis } from 'ioredis';

describe('Lua scripts', () => {
  let redis: Redis;
  const directory = mkdtempSync(join(tmpdir(), 'lua-'));

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
    mkdirSync(join(directory, 'includes'));
    writeFileSync(join(directory, 'includes', 'answer.lua'), 'local function answer() return 42 end');
    writeFileSync(
      join(directory, 'ask.lua'),
      '--- @include "answer"\n--- @include "answer"\nreturn { answer(), KEYS[1], ARGV[1] }',
    );
  });
  afterAll(() => closeRedis(redis));

  it('take their shared parts from includes, each part once', async () => {
    expect(await loadLuaScript(directory, 'ask').run(redis, ['k'], ['a'])).toEqual([42, 'k', 'a']);
  });

  it('let a test replace one part without touching the script of anybody else', async () => {
    const moved = loadLuaScript(directory, 'ask', { answer: 'local function answer() return 7 end' });
    expect(await moved.run(redis, ['k'], ['a'])).toEqual([7, 'k', 'a']);
    expect(await loadLuaScript(directory, 'ask').run(redis, ['k'], ['a'])).toEqual([42, 'k', 'a']);
  });

  it('still run after the server has forgotten them', async () => {
    const script = loadLuaScript(directory, 'ask');
    await script.run(redis, ['k'], ['a']);
    await redis.script('FLUSH');
    expect(await script.run(redis, ['k'], ['b'])).toEqual([42, 'k', 'b']);
  });
});

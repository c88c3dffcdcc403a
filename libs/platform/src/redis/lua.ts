import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

/** A single server's client; a cluster's has the same commands and is handed in under this type. */
export type RedisClient = Redis;

/** A Lua script bound to a file: `run` sends it by its hash, and once by its text where the server does not know it yet. */
export interface LuaScript {
  run(redis: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
}

const INCLUDE = /^--- @include "([\w-]+)"$/gm;

/**
 * Loads `<directory>/<name>.lua`. A line `--- @include "part"` is replaced by `<directory>/includes/part.lua`, each part once.
 * `replaced` gives other text for an include: the tests move the clock of a script so, and nothing else does.
 */
export function loadLuaScript(directory: string, name: string, replaced: Readonly<Record<string, string>> = {}): LuaScript {
  const lua = withIncludes(readFileSync(join(directory, `${name}.lua`), 'utf8'), directory, replaced, new Set());
  // Two texts under one name would meet on a connection that both use: the name says which text is meant.
  const command = `${name}:${createHash('sha1').update(lua).digest('hex')}`;
  return {
    run: (redis, keys, args) => {
      type Command = (...args: (string | number)[]) => Promise<unknown>;
      if (!(command in redis)) redis.defineCommand(command, { lua });
      const call = Reflect.get(redis, command) as Command;
      return call.call(redis, keys.length, ...keys, ...args);
    },
  };
}

function withIncludes(text: string, directory: string, replaced: Readonly<Record<string, string>>, seen: Set<string>): string {
  return text.replace(INCLUDE, (_line, part: string) => {
    if (seen.has(part)) return '';
    seen.add(part);
    const body = replaced[part] ?? readFileSync(join(directory, 'includes', `${part}.lua`), 'utf8');
    return withIncludes(body, directory, replaced, seen);
  });
}

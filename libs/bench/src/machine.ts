import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { findRedisServer } from '@app/local-stack';

/** What the figures depend on, for the line above the table. */
export function describeMachine(): string {
  const cores = cpus();
  const redis = spawnSync(findRedisServer() ?? 'redis-server', ['--version'], { encoding: 'utf8' }).stdout;
  const version = /v=(\S+)/.exec(redis ?? '')?.[1] ?? 'unknown';
  return `${cores[0]?.model.trim() ?? 'an unknown CPU'}, ${cores.length} cores, Node ${process.versions.node}, Redis ${version}`;
}

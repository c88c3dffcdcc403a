/**
 * How full Redis is. What is accepted must stay, so Redis evicts nothing and, once full, refuses to write at all: accepts stop well
 * before, so that the drain and the queue still have room to work, and make more.
 */
import type { Cluster } from 'ioredis';
import { monotonicMs } from '../time/monotonic';
import type { RedisClient } from './lua';

/** Accepts stop from here on. What is above is for the drain: frozen batches, snapshots, the jobs' own keys. */
export const ACCEPTS_STOP_RATIO = 0.8;

/** From here on operators and probes should know: before accepts stop. */
export const REDIS_NEARLY_FULL_RATIO = 0.75;

/** Asked at most so often by a process. */
const ASK_EVERY_MS = 1_000;

export interface RedisMemoryUse {
  /** What counts against the bound: without the buffers that Redis itself leaves out. */
  readonly usedBytes: number;
  /** 0: Redis has no bound of its own. */
  readonly maxBytes: number;
  /** 0 where there is no bound. Of a cluster: of the fullest master. */
  readonly ratio: number;
}

export class RedisMemory {
  private last?: { readonly use: Promise<RedisMemoryUse>; readonly atMs: number };

  constructor(private readonly redis: RedisClient | Cluster) {}

  /** At most a second old; one question for all who ask meanwhile. Throws what ioredis throws where Redis is away. */
  async use(): Promise<RedisMemoryUse> {
    if (this.last !== undefined && monotonicMs() - this.last.atMs < ASK_EVERY_MS) return await this.last.use;
    const asked = { use: this.ask(), atMs: monotonicMs() };
    this.last = asked;
    asked.use.catch(() => {
      if (this.last === asked) this.last = undefined;
    });
    return await asked.use;
  }

  private async ask(): Promise<RedisMemoryUse> {
    const nodes = 'nodes' in this.redis ? this.redis.nodes('master') : [this.redis];
    const uses = await Promise.all(nodes.map(async (node) => readMemoryInfo(await node.info('memory'))));
    return uses.reduce((fullest, use) => (use.ratio > fullest.ratio ? use : fullest));
  }
}

/** Source: INFO, section memory. */
export function readMemoryInfo(info: string): RedisMemoryUse {
  const field = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const usedBytes = field('used_memory') - field('mem_not_counted_for_evict');
  const maxBytes = field('maxmemory');
  return { usedBytes, maxBytes, ratio: maxBytes === 0 ? 0 : usedBytes / maxBytes };
}

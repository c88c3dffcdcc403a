/**
 * The case study's own algorithm, in the same stack: for each read the sum of 60 counters of a second each, the snapshot, the whole
 * buffer of accepted writes, a merge of the two as objects, and JSON made anew.
 */
import { Controller, Get, Inject, UseInterceptors } from '@nestjs/common';
import { QuotaInterceptor } from '@app/quota';
import type { Redis } from 'ioredis';
import { REDIS, serve } from './nest-server';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

@Controller('rows')
@UseInterceptors(QuotaInterceptor)
class CaseStudyController {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  @Get()
  async rows(): Promise<{ rows: Row[]; total: number; consumed: number }> {
    const second = Math.floor(Date.now() / 1_000);
    const counters = await this.redis.mget(Array.from({ length: 60 }, (_, ago) => `bench:count:${second - ago}`));
    const consumed = counters.reduce((sum, count) => sum + Number(count ?? 0), 0);
    const snapshot = JSON.parse((await this.redis.get('bench:snapshot')) ?? '[]') as Row[];
    const buffered = (await this.redis.lrange('bench:buffer', 0, -1)).map((entry) => JSON.parse(entry) as Row);
    const merged = new Map(snapshot.map((row) => [row.id, row]));
    for (const row of buffered) merged.set(row.id, { ...merged.get(row.id), ...row });
    return { rows: [...merged.values()], total: merged.size, consumed };
  }
}

void serve(CaseStudyController);

import { randomUUID } from 'node:crypto';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { Controller, Get, HttpException, Req, UseInterceptors } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { markAnswer, QuotaGuard, QuotaInterceptor, QuotaLedger, QuotaModule } from '../index';

@Controller()
@UseInterceptors(QuotaInterceptor)
class Answers {
  @Get('direct')
  direct(): string {
    return 'ok';
  }

  @Get('degraded')
  degraded(@Req() request: object): string {
    markAnswer(request, { degraded: true, reason: 'upstream-down' });
    return 'ok';
  }

  @Get('error')
  error(): never {
    throw new HttpException('no', 404);
  }
}

describe('A Nest application with the quota module', () => {
  let redis: RedisClient;
  let app: NestFastifyApplication;
  let ledger: QuotaLedger;

  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
    const module = await Test.createTestingModule({
      imports: [
        QuotaModule.forRootAsync({
          useFactory: () => ({ redis, keyPrefix: `test:${randomUUID()}:`, quotas: 'case-study', redisAnswerMs: 5_000 }),
        }),
      ],
      controllers: [Answers],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    ledger = app.get(QuotaLedger);
  });
  afterAll(async () => {
    await app.close();
    await closeRedis(redis);
  });

  it('[008] tells on every answer what is consumed, what remains, and when more can be had', async () => {
    for (let call = 0; call < 30; call += 1) {
      const result = await ledger.reserve('direct', { access: 'read' });
      if (result.granted) await result.reservation.settle();
    }
    const { headers, statusCode } = await app.inject({ url: '/direct' });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'x-quota-consumed': '30',
      'x-system-degraded': 'false',
      'ratelimit-policy': '"case-study";q=300;w=60',
    });
    expect(headers.ratelimit).toMatch(/^"case-study";r=270;t=(60|59)$/);
    expect(headers).not.toHaveProperty('x-degraded-reason');
  });

  it('says why an answer is degraded', async () => {
    const { headers } = await app.inject({ url: '/degraded' });
    expect(headers).toMatchObject({ 'x-system-degraded': 'true', 'x-degraded-reason': 'upstream-down' });
  });

  it('tells the same on errors', async () => {
    const { headers, statusCode } = await app.inject({ url: '/error' });
    expect(statusCode).toBe(404);
    expect(headers).toMatchObject({ 'x-quota-consumed': '30', 'x-system-degraded': 'false' });
  });

  it('admits a processor while a place is free, and tells it how long to sleep otherwise', async () => {
    const guard = app.get(QuotaGuard);
    expect(await guard.admit('refresh', { access: 'read' })).toEqual({ admitted: true });
    for (let call = 0; call < 60; call += 1) await ledger.reserve('direct', { access: 'read' });
    const admission = await guard.admit('refresh', { access: 'read' });
    expect(admission).toMatchObject({ admitted: false, refusal: { reason: 'ceiling', consumed: 90 } });
    if (!admission.admitted) expect(admission.retryInMs).toBeLessThanOrEqual(1_000);
  });
});

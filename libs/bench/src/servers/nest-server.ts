/** The stack that the baselines share with the gateway: Nest on Fastify, its validation pipe, the quota's interceptor where it is asked for. */
import 'reflect-metadata';
import { Controller, Get, Module, ValidationPipe, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { connectRedis } from '@app/platform';
import { QuotaModule } from '@app/quota';
import type { Redis } from 'ioredis';

export const REDIS = Symbol('REDIS');

@Controller('ready')
class ReadyController {
  @Get()
  ready(): string {
    return 'ready';
  }
}

export async function serve(controller: Type<unknown>): Promise<void> {
  const redis: Redis = connectRedis(process.env.REDIS_URL as string, 'request');
  const providers: Provider[] = [{ provide: REDIS, useValue: redis }];
  @Module({
    imports: [QuotaModule.forRootAsync({ useFactory: () => ({ redis, keyPrefix: 'bench', quotas: 'case-study' }) })],
    controllers: [controller, ReadyController],
    providers,
  })
  class ServerModule {}
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule, new FastifyAdapter(), { logger: ['error'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

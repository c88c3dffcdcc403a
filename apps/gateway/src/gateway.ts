/** Makes the application from a configuration; the port is opened by `main.ts`. */
import { Logger, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { QuotaInterceptor, QuotaLedger } from '@app/quota';
import { SheetReader } from '@app/sheet-view';
import { isFinal, WriteLog } from '@app/write-log';
import type { Configuration } from './configuration';
import { GatewayModule } from './gateway.module';
import { guardAccess } from './http/access';
import { ErrorFilter } from './http/error.filter';
import { GatewayLogger } from './http/gateway-logger';
import { logRequests, requestIdOf } from './http/request-log';
import { bindCancelWrite } from './operations/bull-board/write-queue-adapter';
import { observeHttp, Telemetry } from './operations/telemetry';
import { answerFastReads } from './rows/fast-reads';

/** A tab's title or a key in a URL, percent-encoded. The router's own limit of 100 would hide longer ones behind a 404. */
const PATH_PARAMETER_CHARACTERS_MAX = 4_000;

export async function createGateway(configuration: Configuration): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: configuration.bodyBytesMax,
    // Names of columns: bodies are read by their own properties only (row-input.ts) and never merged into anything.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    // Longer than a load balancer or a client keeps an idle connection, so that the gateway never closes one under a request.
    keepAliveTimeout: 75_000,
  });
  const logger = new GatewayLogger(configuration);
  const telemetry = new Telemetry();
  logRequests(adapter.getInstance(), logger.pino, configuration.logRequests);
  observeHttp(adapter.getInstance(), telemetry);
  guardAccess(adapter.getInstance(), configuration);
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.for(configuration, telemetry), adapter, {
    logger,
    abortOnError: false,
  });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalFilters(new ErrorFilter(configuration.bodyBytesMax));
  app.enableShutdownHooks();

  const degrades = configuration.protection === 'reads' || configuration.protection === 'full';
  if (configuration.role !== 'drain' && degrades && configuration.fastReads) {
    answerFastReads(adapter.getInstance(), {
      reader: app.get(SheetReader),
      ledger: app.get(QuotaLedger),
      quota: app.get(QuotaInterceptor),
      spreadsheetId: configuration.spreadsheetId,
    });
  }
  if (configuration.role !== 'drain') {
    const log = app.get(WriteLog);
    bindCancelWrite(async ({ writeId }) => {
      const receipt = await log.receipt(writeId);
      if (receipt === undefined || isFinal(receipt.state)) return 'final';
      return (await log.cancel(receipt)) ? 'cancelled' : 'sending';
    });
    const document = new DocumentBuilder()
      .setTitle('Sheets Quota Gateway')
      .setDescription(
        'Rows of Google Sheets without ever meeting the quota. Every answer says in X-System-Degraded whether it came from the view, and in X-Quota-Consumed how many upstream calls the window holds.',
      )
      .setVersion('1')
      .addBearerAuth()
      .build();
    SwaggerModule.setup('docs', app, SwaggerModule.createDocument(app, document), { jsonDocumentUrl: 'docs-json' });
  }
  new Logger('gateway').log(
    `role ${configuration.role}, protection ${configuration.protection}, upstream ${configuration.upstream.baseUrl}`,
  );
  return app;
}

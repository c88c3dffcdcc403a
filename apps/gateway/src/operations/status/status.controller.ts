import { Controller, Get, Header, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CodedError } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS, readPageFiles } from './page-files';
import { StatusMonitor } from './status-monitor';
import type { StatusState } from './status-state';
import { LISTENERS_MAX, StatusStream } from './status-stream';

@ApiExcludeController()
@Controller()
export class StatusController {
  private readonly files = readPageFiles();

  constructor(
    private readonly monitor: StatusMonitor,
    private readonly stream: StatusStream,
  ) {}

  @Get()
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('index.html', request, reply);
  }

  @Get('status/assets/:name')
  asset(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send(name, request, reply);
  }

  /** The same state, once: for scripts. */
  @Get('status.json')
  @Header('Cache-Control', 'no-store')
  async once(): Promise<StatusState> {
    return await this.monitor.current();
  }

  @Get('status/events')
  async events(@Res() reply: FastifyReply): Promise<void> {
    if (this.stream.isFull) {
      throw new CodedError({
        code: 'too-many-listeners',
        status: 503,
        message: `${LISTENERS_MAX} status pages are open on this process already; close one, or ask /status.json`,
        retryAfterMs: 10_000,
      });
    }
    reply.hijack();
    reply.raw.writeHead(200, {
      ...PAGE_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that collect answers would hold the events back.
      'X-Accel-Buffering': 'no',
    });
    await this.stream.add(reply.raw);
  }

  private send(name: string, request: FastifyRequest, reply: FastifyReply): void {
    const file = this.files.get(name);
    if (file === undefined) throw new NotFoundException();
    void reply.headers(PAGE_HEADERS).header('ETag', file.etag);
    if (request.headers['if-none-match'] === file.etag) void reply.status(304).send();
    else void reply.type(file.type).send(file.content);
  }
}

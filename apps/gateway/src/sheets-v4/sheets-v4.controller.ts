import { All, Controller, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError, findRoute, renderAnswer, userAgentOf } from '@app/workbook';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StagedQuotaInterceptor } from '../http/staged-quota.interceptor';
import { SheetsV4Service, type V4Request } from './sheets-v4.service';

/** Everything below /v4, told apart by its raw path: ranges may hold any character. Its description is the service's own. */
@ApiExcludeController()
@UseInterceptors(StagedQuotaInterceptor)
@Controller()
export class SheetsV4Controller {
  constructor(private readonly v4: SheetsV4Service) {}

  @All('v4/*')
  async handle(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const raw = request.raw.url ?? '/';
    const mark = raw.indexOf('?');
    const query = new URLSearchParams(mark < 0 ? '' : raw.slice(mark + 1));
    const { status, contentType, text } = renderAnswer(
      await this.answer({
        method: request.method,
        rawPath: mark < 0 ? raw : raw.slice(0, mark),
        query,
        body: request.body,
        exchange: { request, reply },
      }),
      { query, isGet: request.method === 'GET', userAgent: userAgentOf(request.headers) },
    );
    void reply.status(status).header('content-type', contentType);
    return text;
  }

  private async answer(request: Omit<V4Request, 'route'>): Promise<{ status: number; body: unknown }> {
    const route = findRoute(request.method, request.rawPath);
    try {
      if (route === undefined) throw unknownMethod(request);
      return await this.v4.answer({ ...request, route });
    } catch (error) {
      if (error instanceof ApiError) return { status: error.code, body: error.body };
      throw error;
    }
  }
}

function unknownMethod({ method, rawPath }: { method: string; rawPath: string }): ApiError {
  return new ApiError(404, 'NOT_FOUND', `there is no ${method} ${rawPath} in the Sheets API v4`);
}

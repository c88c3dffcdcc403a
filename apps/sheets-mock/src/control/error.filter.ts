import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { googleError } from '@app/sheets-wire';
import { serialise } from '@app/workbook';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** All that is not answered by a method: unknown routes, bad control bodies, faults of the mock itself; in Google's shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const code = error instanceof HttpException ? error.getStatus() : 500;
    if (code >= 500) console.error('sheets-mock failed to answer', request.method, request.url, error);
    const body = googleError(code, statusOf(code), messageOf(error, code, request));
    await reply
      .status(code)
      .header('content-type', 'application/json; charset=UTF-8')
      .send(serialise(body, { pretty: true }));
  }
}

function messageOf(error: unknown, code: number, request: FastifyRequest): string {
  if (code === 404) return `sheets-mock serves no ${request.method} ${request.url}. The Sheets API lives under /v4/spreadsheets, the mock's own routes under /control.`; // prettier-ignore
  if (!(error instanceof HttpException)) return `sheets-mock failed: ${error instanceof Error ? error.message : String(error)}`;
  const response = error.getResponse() as string | { message?: string | string[] };
  const message = typeof response === 'string' ? response : (response.message ?? error.message);
  return Array.isArray(message) ? message.join('; ') : message;
}

function statusOf(code: number): string {
  if (code === 404) return 'NOT_FOUND';
  return code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL';
}

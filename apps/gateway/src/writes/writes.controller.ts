import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CodedError, monotonicMs, pause } from '@app/platform';
import { isFinal, WriteLog, type Receipt } from '@app/write-log';
import { WriteQueue } from '@app/write-queue';
import type { FastifyReply } from 'fastify';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { StagedQuotaInterceptor } from '../http/staged-quota.interceptor';
import { noRoomError } from '../rows/no-room';
import { receiptBody, type ReceiptBody } from './receipt-body';
import { ReceiptDto } from './receipt.dto';
import { ReceiptQuery, WritesQuery } from './writes-query.dto';

/** How often a waiting request looks at its receipt. */
const LOOK_EVERY_MS = 150;

@ApiTags('writes')
@UseInterceptors(StagedQuotaInterceptor)
@Controller(['writes', 'operations/writes'])
export class WritesController {
  constructor(
    private readonly log: WriteLog,
    private readonly queue: WriteQueue,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Receipts of a spreadsheet, the newest first' })
  @ApiResponse({ status: 200, description: '`{"writes": [...], "next": n}`; `next` is the `before` of the next page' })
  async list(@Query() query: WritesQuery): Promise<{ writes: ReceiptBody[]; next?: number }> {
    const { state, before, limit } = query;
    const page = await this.log.receipts(query.spreadsheetId ?? this.configuration.spreadsheetId, {
      states: state,
      before,
      limit,
    });
    return { writes: page.receipts.map(receiptBody), ...(page.before === undefined ? {} : { next: page.before }) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'The receipt of a write: accepted, sending, unknown, applied, failed or cancelled' })
  @ApiResponse({ status: 200, type: ReceiptDto })
  @ApiResponse({ status: 404, description: 'No such write, or its receipt is older than a day' })
  async receipt(@Param('id') id: string, @Query() query: ReceiptQuery): Promise<ReceiptBody> {
    const endMs = monotonicMs() + 1_000 * Number.parseInt(query.wait ?? '0', 10);
    for (;;) {
      const receipt = await this.find(id);
      if (isFinal(receipt.state) || monotonicMs() >= endMs) return receiptBody(receipt);
      await pause(Math.min(LOOK_EVERY_MS, Math.max(1, endMs - monotonicMs())));
    }
  }

  @Post(':id/retry')
  @HttpCode(202)
  @ApiOperation({ summary: 'Release a failed or cancelled write: it is accepted anew, at the end of the log' })
  @ApiResponse({ status: 409, description: 'The write did not fail' })
  async retry(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<ReceiptBody> {
    const receipt = await this.find(id);
    const released = await this.log.release(receipt);
    if (released.kind === 'workbook-full' || released.kind === 'redis-full') throw noRoomError(released);
    if (released.kind === 'not-failed') {
      throw new CodedError({
        code: 'not-failed',
        status: 409,
        message: `the write is ${receipt.state}; only failed and cancelled ones can be released`,
      });
    }
    const renewed = await this.find(released.id);
    await this.queue.add(renewed);
    void reply.header('Location', `/writes/${released.id}`);
    return receiptBody(renewed);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Cancel a write that has not been sent' })
  @ApiResponse({ status: 409, description: 'It is being sent, or settled' })
  async cancel(@Param('id') id: string): Promise<ReceiptBody> {
    const receipt = await this.find(id);
    if (!(await this.log.cancel(receipt))) {
      const { state } = await this.find(id);
      throw new CodedError({
        code: 'not-pending',
        status: 409,
        message: `the write is ${state}; only one that has not been sent can be cancelled`,
      });
    }
    return receiptBody(await this.find(id));
  }

  private async find(id: string): Promise<Receipt> {
    const receipt = await this.log.receipt(id);
    if (receipt !== undefined) return receipt;
    throw new CodedError({
      code: 'unknown-write',
      status: 404,
      field: 'id',
      message: 'id: there is no such write, or its receipt has run out',
    });
  }
}

import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CodedError } from '@app/platform';
import { QuotaInterceptor } from '@app/quota';
import { WriteLog } from '@app/write-log';
import { receiptBody } from './receipt-body';

@ApiTags('writes')
@UseInterceptors(QuotaInterceptor)
@Controller('writes')
export class WritesController {
  constructor(private readonly log: WriteLog) {}

  @Get(':id')
  @ApiOperation({ summary: 'The receipt of a write: accepted, sending, unknown, applied, failed or cancelled' })
  @ApiResponse({ status: 404, description: 'No such write, or its receipt is older than a day' })
  async receipt(@Param('id') id: string): Promise<Record<string, unknown>> {
    const receipt = await this.log.receipt(id);
    if (receipt === undefined) {
      throw new CodedError({
        code: 'unknown-write',
        status: 404,
        field: 'id',
        message: 'id: there is no such write, or its receipt has run out',
      });
    }
    return receiptBody(receipt);
  }
}

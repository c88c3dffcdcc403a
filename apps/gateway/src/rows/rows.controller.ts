import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import { StagedQuotaInterceptor } from '../http/staged-quota.interceptor';
import { RowsQuery } from './rows-query.dto';
import { RowsService, type Place } from './rows.service';

type Params = Record<string, string>;

const PATHS = ['sheets/:sheet/rows', 'spreadsheets/:spreadsheetId/sheets/:sheet/rows'];

@ApiTags('rows')
@ApiParam({ name: 'sheet', description: 'Title of a tab whose first row names the columns' })
@UseInterceptors(StagedQuotaInterceptor)
@Controller(PATHS)
export class RowsController {
  constructor(
    private readonly rows: RowsService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The rows of a sheet, every accepted write included' })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'An ETag of an earlier answer: 304 while nothing has changed',
  })
  @ApiResponse({ status: 200, description: '`{"rows": [...], "total": n, "offset": n}`' })
  @ApiResponse({ status: 404, description: 'No such sheet; the answer lists those that exist' })
  async list(
    @Param() params: Params,
    @Query() query: RowsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Buffer> {
    return await this.rows.list(this.place(params), query, { request, reply });
  }

  @Get(':key')
  @ApiOperation({ summary: 'One row by its key' })
  async get(
    @Param() params: Params,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return await this.rows.get(this.place(params), params.key, { request, reply });
  }

  @Post()
  @ApiOperation({ summary: 'Append one row, or an array of up to 500 as one write' })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'The same key and body again gets the first answer' })
  @ApiBody({
    description: 'Column names and values; a missing key is generated',
    schema: { type: 'object', additionalProperties: true },
  })
  @ApiResponse({ status: 201, description: 'The upstream has it' })
  @ApiResponse({ status: 202, description: 'Accepted and durable; Location names its receipt' })
  async append(
    @Param() params: Params,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return await this.rows.append(this.place(params), body, { request, reply });
  }

  @Patch(':key')
  @ApiOperation({ summary: 'Change cells of a row: null leaves one alone, "" clears it' })
  @ApiHeader({ name: 'Idempotency-Key', required: false })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  async patch(
    @Param() params: Params,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return await this.rows.patch(this.place(params), params.key, body, { request, reply });
  }

  @Delete(':key')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delete a row' })
  @ApiHeader({ name: 'Idempotency-Key', required: false })
  async delete(
    @Param() params: Params,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return await this.rows.delete(this.place(params), params.key, { request, reply });
  }

  private place(params: Params): Place {
    return { spreadsheetId: params.spreadsheetId ?? this.configuration.spreadsheetId, sheet: params.sheet };
  }
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { SPREADSHEET_ID, SPREADSHEET_ID_EXPECTED } from '../rows/spreadsheet-id';

export const STATES = ['accepted', 'sending', 'unknown', 'applied', 'failed', 'cancelled'] as const;

export class WritesQuery {
  @ApiPropertyOptional({ enum: STATES, isArray: true, description: 'States to list, separated by commas; absent: all' })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' ? value.split(',') : (value as unknown)))
  @IsIn(STATES, { each: true, message: `state: found $value, expected ${STATES.join(', ')}` })
  state: (typeof STATES)[number][] = [...STATES];

  @ApiPropertyOptional({ minimum: 1, maximum: 500, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'limit: found $value, expected a whole number' })
  @Min(1, { message: 'limit: found $value, expected $constraint1 or more' })
  @Max(500, { message: 'limit: found $value, expected at most $constraint1' })
  limit = 50;

  @ApiPropertyOptional({ description: 'The `next` of the page before' })
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'before: found $value, expected a whole number' })
  @Min(1, { message: 'before: found $value, expected $constraint1 or more' })
  before?: number;

  @ApiPropertyOptional({ description: 'Absent: the default spreadsheet' })
  @IsOptional()
  @IsString()
  @Matches(SPREADSHEET_ID, { message: SPREADSHEET_ID_EXPECTED })
  spreadsheetId?: string;
}

export class ReceiptQuery {
  @ApiPropertyOptional({ example: '10s', description: 'Answer when the write is settled, or after so long (at most 30s)' })
  @IsOptional()
  @Matches(/^([1-9]|[12]\d|30)s$/, { message: 'wait: found $value, expected 1s to 30s' })
  wait?: string;
}

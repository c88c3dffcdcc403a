import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** The longest page. Without a limit the whole sheet is given. */
export const LIMIT_MAX = 100_000;
export const OFFSET_MAX = 10_000_000;

export class RowsQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: LIMIT_MAX, description: 'How many rows; absent: all' })
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'limit: found $value, expected a whole number' })
  @Min(1, { message: 'limit: found $value, expected $constraint1 or more' })
  @Max(LIMIT_MAX, { message: 'limit: found $value, expected at most $constraint1' })
  limit?: number;

  @ApiPropertyOptional({ minimum: 0, default: 0, description: 'How many rows to pass over' })
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'offset: found $value, expected a whole number' })
  @Min(0, { message: 'offset: found $value, expected 0 or more' })
  @Max(OFFSET_MAX, { message: 'offset: found $value, expected at most $constraint1' })
  offset?: number;
}

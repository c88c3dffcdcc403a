import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STATES } from './writes-query.dto';

class ReasonDto {
  @ApiProperty({ description: 'Stable', example: 'column-moved' }) code: string;
  @ApiProperty() message: string;
}

class LandedDto {
  @ApiProperty() sheetId: number;
  @ApiProperty({ description: 'The first row, counted from 1; of a deleted row, where it stood before', example: 103 })
  row: number;
  @ApiProperty({ description: 'That row and those right below it', example: "'orders'!A103:G103" }) range: string;
  @ApiPropertyOptional({ type: [String], description: 'All ranges, at most 20, where the rows do not follow each other' })
  ranges?: string[];
  @ApiPropertyOptional({ description: 'How many ranges more there are' }) rangesLeftOut?: number;
}

class WaitingDto extends ReasonDto {
  @ApiProperty({ format: 'date-time', description: 'Since when the upstream has said so' }) since: string;
  @ApiProperty({ format: 'date-time', description: 'When it last said so' }) lastSaid: string;
}

/** What `GET /writes/:id` answers: the body is made in receipt-body.ts; this describes it for OpenAPI. */
export class ReceiptDto {
  @ApiProperty() id: string;
  @ApiProperty({ enum: STATES }) state: string;
  @ApiProperty() sheet: string;
  @ApiProperty({ enum: ['append', 'patch', 'delete', 'cells', 'structure'] }) operation: string;
  @ApiProperty({ type: [String] }) keys: string[];
  @ApiPropertyOptional({ type: ReasonDto, description: 'Why it failed' }) reason?: ReasonDto;
  @ApiPropertyOptional({ type: WaitingDto, description: 'Why it waits, where only a person can help, such as by sharing' })
  waiting?: WaitingDto;
  @ApiProperty({ format: 'date-time' }) acceptedAt: string;
  @ApiPropertyOptional({ format: 'date-time' }) sentAt?: string;
  @ApiPropertyOptional({ format: 'date-time' }) settledAt?: string;
  @ApiPropertyOptional({
    type: LandedDto,
    nullable: true,
    description: 'Where an applied write came to lie; null where nobody knows',
  })
  landed?: LandedDto | null;
  @ApiPropertyOptional({ type: ReasonDto, description: 'Why `landed` is null: answer-lost, not-shown or not-sent' })
  landedUnknown?: ReasonDto;
  @ApiPropertyOptional({ description: 'The write that carries it out anew' }) releasedAs?: string;
  @ApiPropertyOptional({ description: 'The write that it carries out anew' }) releaseOf?: string;
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { SPREADSHEET_ID, SPREADSHEET_ID_EXPECTED } from '../../rows/spreadsheet-id';

/** What an operator writes about a pause, for the next operator. */
const REASON_CHARACTERS_MAX = 200;

const TITLE_CHARACTERS_MAX = 255;

export class SpreadsheetBody {
  @ApiPropertyOptional({ description: 'Absent: all spreadsheets', example: 'mock-spreadsheet' })
  @IsOptional()
  @IsString()
  @Matches(SPREADSHEET_ID, { message: SPREADSHEET_ID_EXPECTED })
  spreadsheetId?: string;
}

export class PauseBody extends SpreadsheetBody {
  @ApiPropertyOptional({ description: 'For the next operator', maxLength: REASON_CHARACTERS_MAX, example: 'moving the columns' })
  @IsOptional()
  @IsString()
  @MaxLength(REASON_CHARACTERS_MAX, { message: 'reason: expected at most $constraint1 characters' })
  reason?: string;
}

export class RefreshBody {
  @ApiPropertyOptional({ description: 'Absent: the default spreadsheet', example: 'mock-spreadsheet' })
  @IsOptional()
  @IsString()
  @Matches(SPREADSHEET_ID, { message: SPREADSHEET_ID_EXPECTED })
  spreadsheetId?: string;

  @ApiPropertyOptional({ description: 'Title of a tab; absent: every tab', example: 'orders' })
  @IsOptional()
  @IsString()
  @MaxLength(TITLE_CHARACTERS_MAX, { message: 'sheet: expected at most $constraint1 characters' })
  sheet?: string;
}

export class QuotaResetBody {
  @ApiPropertyOptional({ description: 'Absent: every quota', example: 'case-study' })
  @IsOptional()
  @IsString()
  quota?: string;

  @ApiPropertyOptional({ description: 'Also forget the counted calls: the upstream may then refuse some', default: false })
  @IsOptional()
  @IsBoolean({ message: 'calls: expected true or false' })
  calls?: boolean;
}

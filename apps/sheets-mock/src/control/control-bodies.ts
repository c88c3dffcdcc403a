/** Bodies of the control routes. */
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { FAULTS, type Fault } from '../faults/fault-plan';

const MS_MAX = 3_600_000;

export class ResetBody {
  @IsOptional() @IsBoolean() spreadsheets?: boolean;
  @IsOptional() @IsBoolean() calls?: boolean;
  @IsOptional() @IsBoolean() quota?: boolean;
  @IsOptional() @IsBoolean() faults?: boolean;
}

export class QuotaBody {
  @IsIn(['case-study', 'google', 'off']) model: 'case-study' | 'google' | 'off';
  @IsOptional() @IsInt() @Min(1) limit?: number;
  @IsOptional() @IsNumber() @Min(0) refillPerSecond?: number;
  @IsOptional() @IsInt() @Min(1) projectLimit?: number;
  @IsOptional() @IsInt() @Min(1) userLimit?: number;
  @IsOptional() @IsIn(['fixed-minute', 'sliding', 'token-bucket']) window?: 'fixed-minute' | 'sliding' | 'token-bucket';
  @IsOptional() @IsNumber() @Min(0) @Max(1) foreignShare?: number;
}

export class FaultRuleBody {
  @IsIn(FAULTS) fault: Fault;
  @IsOptional() @IsIn(['read', 'write', 'any']) on?: 'read' | 'write' | 'any';
  @IsOptional() @IsString() spreadsheetId?: string;
  @IsOptional() @IsString() path?: string;
  @IsOptional() @IsInt() @Min(0) times?: number;
  @IsOptional() @IsInt() @Min(1) every?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(1) probability?: number;
  @IsOptional() @IsInt() @Min(0) @Max(MS_MAX) delayMs?: number;
  @IsOptional() @IsString() text?: string;
  @IsOptional() @IsIn(['read_requests', 'write_requests']) metric?: 'read_requests' | 'write_requests';
  @IsOptional() @IsIn(['project', 'user']) scope?: 'project' | 'user';
  @IsOptional() @IsInt() @Min(0) limitValue?: number;
}

export class FaultsBody {
  @IsOptional() @IsInt() seed?: number;
  @IsOptional() @IsInt() @Min(0) @Max(MS_MAX) latencyMs?: number;
  @IsOptional() @IsInt() @Min(0) @Max(MS_MAX) latencyJitterMs?: number;
  @IsOptional() @IsBoolean() acceptClashingMetadataIds?: boolean;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => FaultRuleBody) rules?: FaultRuleBody[];
}

export class ClockBody {
  @IsInt() @Min(0) advanceMs: number;
}

export class CallsQuery {
  @IsOptional() @Type(() => Number) @IsNumber() sinceMs?: number;
}

/** Bodies of the control routes. */
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Role } from '../access/access-rules';
import { FAULTS, type Fault } from '../faults/fault-plan';

import { IsRecordOf, IsSharing } from './record-validators';

const MS_MAX = 3_600_000;

export class ResetBody {
  @IsOptional() @IsBoolean() spreadsheets?: boolean;
  @IsOptional() @IsBoolean() calls?: boolean;
  @IsOptional() @IsBoolean() quota?: boolean;
  @IsOptional() @IsBoolean() faults?: boolean;
  @IsOptional() @IsBoolean() access?: boolean;
  @IsOptional() @IsBoolean() clock?: boolean;
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
  @IsOptional() @IsIn(['GET', 'POST', 'PUT', 'DELETE']) method?: string;
  @IsOptional() @IsInt() @Min(0) after?: number;
  @IsOptional() @IsInt() @Min(0) fromMs?: number;
  @IsOptional() @IsInt() @Min(0) untilMs?: number;
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
  @IsOptional() @IsInt() @Min(0) advanceMs?: number;
  /** What time it is, in milliseconds since 1970. */
  @IsOptional() @IsInt() @Min(0) nowMs?: number;
  /** It stands still, and moves only when it is told to. */
  @IsOptional() @IsBoolean() frozen?: boolean;
}

export class AccountRulesBody {
  @IsOptional() @IsIn(['ok', 'refused']) signIn?: 'ok' | 'refused';
  @IsOptional() @IsString() publicKey?: string;
  @IsOptional() @IsBoolean() apiDisabled?: boolean;
}

export class AccessBody {
  @IsOptional() @IsBoolean() requireCredentials?: boolean;
  @IsOptional() @IsInt() @Min(1) tokenSeconds?: number;
  @IsOptional() @IsObject() @IsRecordOf(AccountRulesBody) accounts?: Record<string, AccountRulesBody>;
  @IsOptional() @IsObject() @IsSharing() sharing?: Record<string, Record<string, Role>>;
}

/** All that decides how the mock behaves, in one file. */
export class ScriptBody extends FaultsBody {
  @IsOptional() @IsObject() @ValidateNested() @Type(() => QuotaBody) quota?: QuotaBody;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => AccessBody) access?: AccessBody;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => ClockBody) clock?: ClockBody;
}

export class CallsQuery {
  @IsOptional() @Type(() => Number) @IsNumber() sinceMs?: number;
}

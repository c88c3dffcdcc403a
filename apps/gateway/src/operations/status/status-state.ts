/** What the page is told, once a second. Counts, ages, names of sheets and ids; never a cell, nor a row's key. */
import type { Lane } from '@app/quota';
import type { Bucket } from '../timeline';
import type { Forecast } from './forecast';
import type { Situation } from './situation';
import type { UpstreamVerdict } from './upstream-verdict';

export interface QuotaState {
  readonly quotaId: string;
  readonly mode: 'direct' | 'degraded';
  readonly windowMs: number;
  readonly consumed: number;
  /** Calls past which the gateway degrades, and below which it goes back: shares of the limit in force. */
  readonly trigger: number;
  readonly exit: number;
  readonly configuredLimit: number;
  readonly learntLimit?: number;
  readonly limitInForce: number;
  /** Calls per window that strangers are seen to make on the same quota. */
  readonly foreignCalls: number;
  readonly closedForMs: number;
  readonly modeChanges: number;
}

export interface SnapshotState {
  readonly spreadsheet: string;
  readonly sheet: string;
  readonly ageMs: number;
  readonly pendingWrites: number;
}

export interface FailedWrite {
  readonly writeId: string;
  readonly sheet: string;
  readonly operation: string;
  readonly reason: string;
  readonly explanation: string;
  readonly failedAt?: string;
  /** Its job in Bull Board. Absent: it has none, since it was written directly, or its job is gone. */
  readonly jobPath?: string;
}

export interface StatusState {
  readonly atMs: number;
  readonly situation: Situation;
  /** When what follows was last read, where Redis does not answer now. */
  readonly lastKnownAtMs?: number;
  readonly upstream: UpstreamVerdict;
  readonly quotas: readonly QuotaState[];
  readonly pending: { readonly writes: number; readonly spreadsheets: number; readonly oldestAgeMs?: number };
  readonly forecast: Forecast;
  readonly snapshots: { readonly total: number; readonly stalest: readonly SnapshotState[] };
  readonly failures: { readonly total: number; readonly latest: readonly FailedWrite[] };
  /** Processes that reported within the last seconds: name -> role. */
  readonly processes: Readonly<Record<string, string>>;
  readonly facts: {
    readonly protection: string;
    readonly preset: string;
    readonly enforced: boolean;
    readonly lanes: readonly Lane[];
  };
  readonly timeline: { readonly bucketMs: number; readonly shownMs: number; readonly buckets: readonly Bucket[] };
}

/**
 * What all processes share in Redis, for a scrape: read at most once a second, whoever asks, and given up after half a second.
 * The cost of a reading is bounded by the registers it reads (500 spreadsheets, 500 snapshots).
 */
import { monotonicMs, pause } from '@app/platform';
import type { SingleQuotaStatus } from '@app/quota';

export interface SharedState {
  readonly quotas: readonly SingleQuotaStatus[];
  readonly pendingWrites: number;
  readonly pendingSpreadsheets: number;
  /** 0: nothing is pending. */
  readonly oldestPendingAgeMs: number;
  readonly snapshots: number;
  /** 0: there is no snapshot. */
  readonly snapshotAgeMaxMs: number;
}

const KEPT_MS = 1_000;
const TIMEOUT_MS = 500;

/** Undefined: Redis gave no answer. */
export class SharedStateReader {
  private kept: { readonly atMs: number; readonly state: Promise<SharedState | undefined> } | undefined;

  constructor(private readonly readAll: () => Promise<SharedState>) {}

  async read(): Promise<SharedState | undefined> {
    const nowMs = monotonicMs();
    if (this.kept === undefined || nowMs - this.kept.atMs >= KEPT_MS) this.kept = { atMs: nowMs, state: this.inTime() };
    return await this.kept.state;
  }

  private async inTime(): Promise<SharedState | undefined> {
    const done = new AbortController();
    try {
      const late = pause(TIMEOUT_MS, done.signal).then(() => undefined);
      return await Promise.race([this.readAll().catch(() => undefined), late]);
    } finally {
      done.abort();
    }
  }
}

/** The latest status of every quota that this process has heard of, so that headers cost no round trip of their own. */
import { combined, type QuotaStatus, type SingleQuotaStatus } from './quota-status';

/** Users come from outside, so the number of remembered quotas is bounded: the longest unheard of goes. */
const QUOTAS_MAX = 500;

export class StatusBoard {
  private readonly heard = new Map<string, { status: SingleQuotaStatus; atMs: number }>();

  constructor(private readonly monotonicMs: () => number) {}

  note(statuses: readonly SingleQuotaStatus[]): void {
    for (const status of statuses) {
      this.heard.delete(status.quotaId);
      this.heard.set(status.quotaId, { status, atMs: this.monotonicMs() });
    }
    for (const quotaId of this.heard.keys()) {
      if (this.heard.size <= QUOTAS_MAX) break;
      this.heard.delete(quotaId);
    }
  }

  /** The status of `quotaIds` if all were heard of within `maxAgeMs`. */
  read(quotaIds: readonly string[], maxAgeMs: number): QuotaStatus | undefined {
    const oldestMs = this.monotonicMs() - maxAgeMs;
    const statuses: SingleQuotaStatus[] = [];
    for (const quotaId of quotaIds) {
      const entry = this.heard.get(quotaId);
      if (entry === undefined || entry.atMs <= oldestMs) return undefined;
      statuses.push(entry.status);
    }
    return statuses.length === 0 ? undefined : combined(statuses);
  }

  /** Everything heard of, however old. */
  all(): QuotaStatus | undefined {
    return this.heard.size === 0 ? undefined : combined([...this.heard.values()].map(({ status }) => status));
  }

  clear(): void {
    this.heard.clear();
  }
}

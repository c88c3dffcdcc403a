/** The latest status of every quota that this process has heard of, so that headers cost no round trip of their own. */
import { combined, type QuotaStatus, type SingleQuotaStatus } from './quota-status';

/** Users come from outside, so the number of remembered quotas is bounded: the longest unheard of goes. */
const QUOTAS_MAX = 500;

export class StatusBoard {
  private readonly heard = new Map<string, { status: SingleQuotaStatus; atMs: number }>();
  /** The last answer of `read`, which holds until something new is heard: one object for all requests of a moment. */
  private joined?: { readonly quotaIds: readonly string[]; readonly status: QuotaStatus; readonly oldestAtMs: number };

  constructor(private readonly monotonicMs: () => number) {}

  note(statuses: readonly SingleQuotaStatus[]): void {
    this.joined = undefined;
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
    if (this.joined?.quotaIds !== quotaIds) this.joined = this.join(quotaIds);
    return this.joined === undefined || this.joined.oldestAtMs <= oldestMs ? undefined : this.joined.status;
  }

  private join(quotaIds: readonly string[]): StatusBoard['joined'] {
    const entries = quotaIds.map((quotaId) => this.heard.get(quotaId));
    if (entries.length === 0 || !entries.every((entry) => entry !== undefined)) return undefined;
    return {
      quotaIds,
      status: combined(entries.map(({ status }) => status)),
      oldestAtMs: Math.min(...entries.map(({ atMs }) => atMs)),
    };
  }

  /** Everything heard of, however old. */
  all(): QuotaStatus | undefined {
    return this.heard.size === 0 ? undefined : combined([...this.heard.values()].map(({ status }) => status));
  }

  clear(): void {
    this.joined = undefined;
    this.heard.clear();
  }
}

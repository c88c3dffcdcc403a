import { Injectable } from '@nestjs/common';
import { QuotaLedger } from '../ledger/quota-ledger';
import type { Lane } from '../policy/lane';
import type { CallKind } from '../policy/quota-definition';
import type { Refusal } from '../policy/refusal';

export type Admission =
  { readonly admitted: true } | { readonly admitted: false; readonly retryInMs: number; readonly refusal: Refusal };

/**
 * Stands before a queue's processor. It takes no place: the call itself does. A processor that is not admitted sleeps for
 * `retryInMs` and costs its job no attempt; with BullMQ: `await worker.rateLimit(retryInMs); throw Worker.RateLimitError()`.
 *
 * The sleep is until a place can be free by time, at most `recheckMs`: places freed otherwise are noticed within that time,
 * and the lane keeps its demand, and so its floor.
 */
@Injectable()
export class QuotaGuard {
  constructor(private readonly ledger: QuotaLedger) {}

  /** Rejects with `redis-unavailable` while Redis is away. */
  async admit(lane: Lane, kind: CallKind): Promise<Admission> {
    const refusal = await this.ledger.peek(lane, kind);
    if (refusal === undefined) return { admitted: true };
    return { admitted: false, retryInMs: Math.min(refusal.retryInMs, this.ledger.options.recheckMs), refusal };
  }
}

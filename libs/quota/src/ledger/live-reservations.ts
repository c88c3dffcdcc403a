/** The reservations of this process that Redis must know of: put back after a reconnect, should Redis have lost them. */
import type { Lane } from '../policy/lane';
import type { QuotaInstance } from '../policy/quota-definition';

export interface LiveReservation {
  readonly id: string;
  readonly lane: Lane;
  readonly user: string;
  readonly gates: readonly QuotaInstance[];
  /** On Redis's clock. */
  readonly leaseEndMs: number;
  /** On the monotonic clock: nothing of it counts any more. */
  readonly forgottenAtMs: number;
}

export class LiveReservations {
  private readonly live = new Map<string, LiveReservation>();

  constructor(private readonly monotonicMs: () => number) {}

  add(reservation: LiveReservation): void {
    this.forgetOld();
    this.live.set(reservation.id, reservation);
  }

  remove(id: string): void {
    this.live.delete(id);
  }

  all(): LiveReservation[] {
    this.forgetOld();
    return [...this.live.values()];
  }

  /** In order of their age, so the first that is young enough ends the search. */
  private forgetOld(): void {
    const nowMs = this.monotonicMs();
    for (const [id, { forgottenAtMs }] of this.live) {
      if (forgottenAtMs > nowMs) break;
      this.live.delete(id);
    }
  }
}

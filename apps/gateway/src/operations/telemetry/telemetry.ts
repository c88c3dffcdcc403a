/**
 * What this process does, told once, to whoever counts or shows it: the timeline of the status page, and metrics.
 *
 *   sheets-client ── upstream call ──┐
 *   Fastify       ── HTTP answer ────┼──▶ Telemetry ──▶ each subscriber, at once, in this process
 *   write-queue   ── drain event ────┤
 *   quota         ── mode change ────┘
 *
 * Subscribers run in the way of requests: they add to a number in memory and return. One that throws is told once in the log and
 * never reaches a request.
 */
import { Logger } from '@nestjs/common';
import type { Mode, SingleQuotaStatus } from '@app/quota';
import type { ObservedCall } from '@app/sheets-client';
import type { DrainEvent } from '@app/write-queue';
import type { Audience } from '../../http/access';

/** Where the body of an answer came from. `memory`: of this process, while Redis is away. `none`: not from a sheet. */
export type DataSource = 'upstream' | 'snapshot' | 'memory' | 'none';

export interface HttpAnswer {
  /** The pattern of the route, such as `/sheets/:sheet/rows`, never a path; `unmatched` where there is none. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** What the answer says of itself in `X-System-Degraded`. */
  readonly degraded: boolean;
  /** `X-Degraded-Reason`, where it is degraded. */
  readonly reason?: string;
  readonly source: DataSource;
  /** Whom the route is for: only `client` answers are traffic of the system's users. */
  readonly audience: Audience;
  readonly durationMs: number;
  /** `Age`, where the body came from a snapshot. */
  readonly ageSeconds?: number;
}

/** Every process hears of a change, whoever brought it about. */
export interface ModeChange {
  readonly quotaId: string;
  readonly mode: Mode;
  readonly status: SingleQuotaStatus;
}

export interface TelemetrySubscriber {
  upstreamCall?(call: ObservedCall): void;
  httpAnswer?(answer: HttpAnswer): void;
  drainEvent?(event: DrainEvent): void;
  modeChange?(change: ModeChange): void;
}

export class Telemetry {
  private readonly logger = new Logger('telemetry');
  private readonly subscribers = new Set<TelemetrySubscriber>();
  private readonly complainedOf = new WeakSet<TelemetrySubscriber>();

  /** @returns ends the subscription */
  subscribe(subscriber: TelemetrySubscriber): () => void {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  }

  // Arrow functions, since libs get them as bare functions.
  readonly upstreamCall = (call: ObservedCall): void => this.tell((subscriber) => subscriber.upstreamCall?.(call));
  readonly httpAnswer = (answer: HttpAnswer): void => this.tell((subscriber) => subscriber.httpAnswer?.(answer));
  readonly drainEvent = (event: DrainEvent): void => this.tell((subscriber) => subscriber.drainEvent?.(event));
  readonly modeChange = (status: SingleQuotaStatus): void =>
    this.tell((subscriber) => subscriber.modeChange?.({ quotaId: status.quotaId, mode: status.mode, status }));

  private tell(call: (subscriber: TelemetrySubscriber) => void): void {
    for (const subscriber of this.subscribers) {
      try {
        call(subscriber);
      } catch (error) {
        if (this.complainedOf.has(subscriber)) continue;
        this.complainedOf.add(subscriber);
        this.logger.error(`a subscriber failed, and will fail again: ${(error as Error).stack}`);
      }
    }
  }
}

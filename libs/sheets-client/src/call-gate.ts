/**
 * The port through which every upstream call passes. The application binds it to its quota; this lib only keeps the rule that
 * nothing is sent without a permit and that each permit is settled, released, or left to its lease.
 */

/** Who asks: decides how much of the quota may be used for the call. */
export type CallLane = 'direct' | 'drain' | 'refresh' | 'cold';

/** How the service counts the call. Source: "Usage limits" of the Sheets API, read and write requests. */
export type CallAccess = 'read' | 'write';

export interface CallPermit {
  /** The id of the account as which the call has to be made; absent: whoever may. */
  readonly accountId?: string;
  /** On the monotonic clock: the request must not be written later than this. */
  readonly sendByMs: number;
  /** The upstream has answered: the call counts from now for one window. */
  settle(): Promise<void>;
  /** The request surely never reached the upstream: it does not count. */
  release(): Promise<void>;
}

export interface CallRefusal {
  readonly reason: string;
  /** When asking again can help. */
  readonly retryInMs: number;
}

export type GateAnswer =
  { readonly granted: true; readonly permit: CallPermit } | { readonly granted: false; readonly refusal: CallRefusal };

export interface CallGate {
  /** @param accountIds who may make the call; the gate chooses the one with most room. */
  reserve(lane: CallLane, access: CallAccess, accountIds: readonly string[]): Promise<GateAnswer>;
  /** The upstream itself refused a call of that account for its quota (429): `body` is its answer. */
  refusedByUpstream(access: CallAccess, accountId: string, body: unknown): Promise<void>;
}

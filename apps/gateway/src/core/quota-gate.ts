/** Binds the port of the sheets client to the quota: what is sent is what is counted. */
import { type QuotaLedger } from '@app/quota';
import type { CallAccess, CallGate, CallLane, GateAnswer } from '@app/sheets-client';

export class QuotaGate implements CallGate {
  /** @param options enforce false: whatever the configuration says, every call is counted and none is refused (the stage `count`, and the writes of `reads`). */
  constructor(
    private readonly ledger: QuotaLedger,
    private readonly options: { readonly enforce?: false } = {},
  ) {}

  async reserve(lane: CallLane, access: CallAccess, accountIds: readonly string[]): Promise<GateAnswer> {
    const result = await this.ledger.reserve(lane, { access, among: accountIds }, this.options);
    if (!result.granted)
      return { granted: false, refusal: { reason: result.refusal.reason, retryInMs: result.refusal.retryInMs } };
    return { granted: true, permit: { ...result.reservation, accountId: result.reservation.user } };
  }

  async refusedByUpstream(access: CallAccess, accountId: string, body: unknown): Promise<void> {
    await this.ledger.reportRefusedByUpstream({ access, user: accountId }, body);
  }
}

/** The stage `off`: nothing is counted and nothing refused. */
export class OpenGate implements CallGate {
  async reserve(): Promise<GateAnswer> {
    const nothing = async (): Promise<void> => undefined;
    return { granted: true, permit: { sendByMs: Infinity, settle: nothing, release: nothing } };
  }

  async refusedByUpstream(): Promise<void> {
    return undefined;
  }
}

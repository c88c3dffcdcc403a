/**
 * The accounts of the application, and what this process has learnt of each: which spreadsheets it may not use, and whether it
 * can sign in. Which of those that may make a call does make it is the quota's decision: the one with most room.
 */
import { monotonicMs } from '@app/platform';
import type { CallAccess } from '../call-gate';
import { NOBODY, type UpstreamAccount } from './account';

/** A spreadsheet may be shared with the account any time: after this it is tried again, at the price of one call. */
export const PERMISSION_RECHECK_MS = 5 * 60_000;
/** A key that is not accepted, or a token endpoint that is away. */
const SIGN_IN_RECHECK_MS = 30_000;
/** Spreadsheets come from outside, so the number of remembered refusals is bounded: the oldest goes. */
const DENIALS_MAX = 10_000;

export class AccountPool {
  /** By account, spreadsheet and access: since when. */
  private readonly denied = new Map<string, number>();
  private readonly cannotSignIn = new Map<string, number>();

  constructor(
    readonly accounts: readonly UpstreamAccount[],
    private readonly nowMs: () => number = monotonicMs,
  ) {
    if (accounts.length === 0) throw new RangeError('an account pool needs at least one account');
    if (new Set(accounts.map(({ id }) => id)).size < accounts.length)
      throw new RangeError('an account pool holds each account once');
  }

  static ofNobody(): AccountPool {
    return new AccountPool([NOBODY]);
  }

  /**
   * Who may make the call, as far as is known, without those that were tried for it already. Where all others are known not to
   * be permitted it is still worth to ask as the one whose refusal is the oldest: nobody else tells when that changes.
   */
  candidates(spreadsheetId: string, access: CallAccess, tried: ReadonlySet<UpstreamAccount>): readonly UpstreamAccount[] {
    const left = this.accounts.filter((account) => !tried.has(account));
    const usable = left.filter((account) => this.refusedSinceMs(account, spreadsheetId, access) === undefined);
    if (usable.length > 0 || tried.size > 0) return usable;
    const sinceMs = (account: UpstreamAccount): number => this.refusedSinceMs(account, spreadsheetId, access) ?? 0;
    return [left.reduce((oldest, account) => (sinceMs(account) < sinceMs(oldest) ? account : oldest))];
  }

  /** The upstream has answered that the account may not. Who may not read may not write either. */
  noteDenied(account: UpstreamAccount, spreadsheetId: string, access: CallAccess): void {
    const name = denialOf(account, spreadsheetId, access);
    this.denied.delete(name);
    this.denied.set(name, this.nowMs());
    for (const oldest of this.denied.keys()) {
      if (this.denied.size <= DENIALS_MAX) break;
      this.denied.delete(oldest);
    }
  }

  noteSignInFailed(account: UpstreamAccount): void {
    this.cannotSignIn.set(account.id, this.nowMs());
  }

  /** The account has made a call of that kind: earlier refusals are history. */
  noteAllowed(account: UpstreamAccount, spreadsheetId: string, access: CallAccess): void {
    this.cannotSignIn.delete(account.id);
    this.denied.delete(denialOf(account, spreadsheetId, access));
    if (access === 'write') this.denied.delete(denialOf(account, spreadsheetId, 'read'));
  }

  private refusedSinceMs(account: UpstreamAccount, spreadsheetId: string, access: CallAccess): number | undefined {
    const marks = [
      within(this.cannotSignIn.get(account.id), SIGN_IN_RECHECK_MS, this.nowMs()),
      within(this.denied.get(denialOf(account, spreadsheetId, 'read')), PERMISSION_RECHECK_MS, this.nowMs()),
      ...(access === 'write'
        ? [within(this.denied.get(denialOf(account, spreadsheetId, 'write')), PERMISSION_RECHECK_MS, this.nowMs())]
        : []),
    ].filter((atMs) => atMs !== undefined);
    return marks.length === 0 ? undefined : Math.max(...marks);
  }
}

function within(atMs: number | undefined, durationMs: number, nowMs: number): number | undefined {
  return atMs !== undefined && nowMs < atMs + durationMs ? atMs : undefined;
}

function denialOf({ id }: UpstreamAccount, spreadsheetId: string, access: CallAccess): string {
  return `${id} ${access} ${spreadsheetId}`;
}

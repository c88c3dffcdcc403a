/**
 * Keeps one token fresh.
 *
 *   none, or about to end    calls wait for a new one, all for the same
 *   ends within the lead     calls go on with it while a new one is fetched beside them; a failure is tried again a little later
 *   else                     calls use it
 *
 * So a token endpoint that is away for some minutes fails no call.
 */
import { wallMs } from '@app/platform';

export interface Token {
  readonly headers: Readonly<Record<string, string>>;
  /** On the wall clock. */
  readonly endsAtMs: number;
}

/** How long before its end a token is renewed. The service's tokens last an hour. */
export const RENEW_BEFORE_END_MS = 5 * 60_000;
/** A token that ends sooner might end on its way. */
const ABOUT_TO_END_MS = 10_000;
/** Between two attempts to renew a token that still holds. */
const RETRY_RENEWAL_MS = 10_000;

export class TokenKeeper {
  private token?: Token;
  private fetching?: Promise<Token>;
  private renewNotBeforeMs = 0;

  constructor(
    private readonly fetchToken: () => Promise<Token>,
    private readonly nowMs: () => number = wallMs,
  ) {}

  async headers(): Promise<Record<string, string>> {
    const leftMs = this.token === undefined ? 0 : this.token.endsAtMs - this.nowMs();
    if (this.token === undefined || leftMs <= ABOUT_TO_END_MS) return { ...(await this.fetch()).headers };
    if (leftMs <= RENEW_BEFORE_END_MS && this.nowMs() >= this.renewNotBeforeMs) {
      this.renewNotBeforeMs = this.nowMs() + RETRY_RENEWAL_MS;
      this.fetch().catch(() => undefined);
    }
    return { ...this.token.headers };
  }

  forget(): void {
    this.token = undefined;
  }

  private fetch(): Promise<Token> {
    this.fetching ??= this.fetchToken()
      .then((token) => (this.token = token))
      .finally(() => (this.fetching = undefined));
    return this.fetching;
  }
}

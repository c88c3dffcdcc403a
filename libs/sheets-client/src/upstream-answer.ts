import type { CallRefusal } from './call-gate';

/**
 * What is known after a call. The difference that matters is between "not applied for certain" and "nobody knows":
 * a 4xx, a refusal and a connection that never came about decide the attempt; a time-out, a cut connection, a 5xx and an
 * unreadable answer leave it open.
 */
export type UpstreamAnswer<T> =
  | { readonly kind: 'answered'; readonly body: T }
  | { readonly kind: 'rejected'; readonly status: number; readonly message: string; readonly body: unknown }
  | { readonly kind: 'refused'; readonly refusal: CallRefusal }
  /** `beforeSend` said no: nothing was sent. */
  | { readonly kind: 'withheld'; readonly message: string }
  /** `tooLate`: it could have been sent, but the permit had run out. `cannotSignIn`: the account got no token. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly tooLate?: true; readonly cannotSignIn?: true }
  | { readonly kind: 'unknown'; readonly message: string; readonly status?: number; readonly timedOut?: true };

/** The port through which every upstream call is told to who counts them. The application binds it. */
import type { CallAccess, CallLane } from './call-gate';
import type { UpstreamAnswer } from './upstream-answer';

/**
 * What became of a call.
 *
 *   ok              2xx with a readable body
 *   client-error    4xx other than a quota refusal
 *   rate-limited    the upstream refused it for its quota (429, or a 403 that says so)
 *   server-error    5xx, a redirect, or a 2xx that is not JSON
 *   timeout         no answer within the deadline
 *   network         never connected, or cut before the answer; signing in failed
 *   refused-by-gate our own quota refused it: nothing was sent
 *   not-sent        permitted, and then given back before a byte was written
 */
export const CALL_OUTCOMES = [
  'ok',
  'client-error',
  'rate-limited',
  'server-error',
  'timeout',
  'network',
  'refused-by-gate',
  'not-sent',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** The outcomes of calls that never left this process. */
export const UNSENT_OUTCOMES: ReadonlySet<CallOutcome> = new Set(['refused-by-gate', 'not-sent']);

export interface ObservedCall {
  readonly lane: CallLane;
  /** Which kind of quota it counts against. */
  readonly access: CallAccess;
  readonly method: string;
  readonly outcome: CallOutcome;
  /** From writing the request to having read the answer; 0 where nothing was sent. */
  readonly durationMs: number;
}

/** Must not throw, and must not wait: it runs in the way of every call. */
export type UpstreamObserver = (call: ObservedCall) => void;

export function outcomeOf(answer: UpstreamAnswer<unknown>): CallOutcome {
  switch (answer.kind) {
    case 'answered':
      return 'ok';
    case 'refused':
      return 'refused-by-gate';
    case 'withheld':
      return 'not-sent';
    case 'rejected':
      return answer.status === 429 ? 'rate-limited' : 'client-error';
    case 'unreachable':
      return answer.tooLate === true ? 'not-sent' : 'network';
    case 'unknown':
      if (answer.timedOut === true) return 'timeout';
      return answer.status === undefined ? 'network' : 'server-error';
  }
}

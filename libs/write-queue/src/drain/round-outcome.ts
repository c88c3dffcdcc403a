/** What one round of a drain came to. */
export type RoundOutcome =
  /** Something was decided: ask again. */
  | { readonly kind: 'progress' }
  /** Nothing is pending. */
  | { readonly kind: 'idle' }
  | Wait;

export interface Wait {
  readonly kind: 'wait';
  readonly reason: 'quota' | 'pace' | 'lease' | 'upstream' | 'lagging' | 'paused';
  readonly retryInMs: number;
}

export const PROGRESS: RoundOutcome = { kind: 'progress' };
export const IDLE: RoundOutcome = { kind: 'idle' };

export function wait(reason: Wait['reason'], retryInMs: number): Wait {
  return { kind: 'wait', reason, retryInMs };
}

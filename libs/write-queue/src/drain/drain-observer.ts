/** The port through which the drain tells what becomes of batches. The application binds it. */
import type { CallLane } from '@app/sheets-client';

export type DrainEvent =
  /** An attempt to send a batch had an answer, or none: how many writes it carried. One event per upstream call with writes. */
  | { readonly kind: 'batch-sent'; readonly lane: CallLane; readonly writes: number }
  /** The spreadsheet contains these writes, and their receipts say so. */
  | { readonly kind: 'applied'; readonly lane: CallLane; readonly writes: number }
  /** Writes that were set aside for one reason: its stable code, such as `row-gone` or `rejected-by-upstream`. */
  | { readonly kind: 'set-aside'; readonly reason: string; readonly writes: number };

/** Must not throw, and must not wait: it runs between sending and settling. */
export type DrainObserver = (event: DrainEvent) => void;

/** One event per reason, since a batch can meet several. */
export function tellSetAside(observe: DrainObserver | undefined, verdicts: readonly { readonly code: string }[]): void {
  const counts = new Map<string, number>();
  for (const { code } of verdicts) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const [reason, writes] of counts) observe?.({ kind: 'set-aside', reason, writes });
}

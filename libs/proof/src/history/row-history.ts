/** What is known of one row: every operation on its key, in the order of its one client, and what follows for who looks at it. */
import type { FinalReceipt, Operation } from './events';

export interface OperationHistory {
  readonly operation: Operation;
  readonly invokedMs: number;
  /** `open`: not answered, or answered in a way that leaves open whether it was carried out. */
  state: 'open' | 'acknowledged' | 'refused';
  acknowledgedMs?: number;
  receiptId?: string;
  /** One line for each thing that happened to it. */
  readonly lines: string[];
}

export class RowHistory {
  readonly operations: OperationHistory[] = [];
  /** Client -> what it saw last. */
  readonly lastSeen = new Map<string, { readonly counter: number | undefined; readonly line: string }>();

  constructor(
    readonly tab: string,
    readonly key: string,
  ) {}

  private *of(kind: Operation['kind']): Generator<OperationHistory> {
    for (const known of this.operations) if (known.operation.kind === kind) yield known;
  }

  /** Whether the row has to be there for a read that ran from `startMs` to `endMs`. */
  mustBeThere(startMs: number, endMs: number): boolean {
    for (const { state, invokedMs } of this.of('delete')) if (state !== 'refused' && invokedMs < endMs) return false;
    for (const append of this.of('append')) return isKnownBefore(append, startMs);
    return false;
  }

  mustBeGone(startMs: number): boolean {
    for (const known of this.of('delete')) if (isKnownBefore(known, startMs)) return true;
    return false;
  }

  /** Somebody had asked for the row by then, and was not told no. */
  mayBeThere(endMs: number): boolean {
    for (const { state, invokedMs, operation } of this.of('append'))
      return invokedMs < endMs && (state !== 'refused' || operation.mayFail === true);
    return false;
  }

  mayBeDeletedBy(endMs: number): boolean {
    for (const { state, invokedMs } of this.of('delete')) if (state !== 'refused' && invokedMs < endMs) return true;
    return false;
  }

  /** The counter that a read begun then has to show at least. */
  counterKnownBefore(startMs: number): number {
    return this.operations.reduce(
      (counter, known) =>
        known.operation.kind !== 'delete' && isKnownBefore(known, startMs) ? Math.max(counter, known.operation.counter) : counter,
      0,
    );
  }

  /** Whether somebody had sent that counter by then. */
  mayHaveCounter(counter: number, endMs: number): boolean {
    return this.operations.some(
      ({ operation, invokedMs, state }) =>
        operation.kind !== 'delete' &&
        operation.counter === counter &&
        invokedMs < endMs &&
        (state !== 'refused' || operation.mayFail === true),
    );
  }

  /** A write of this counter may end failed, and the row then shows an older one again. */
  mayLose(counter: number | undefined): boolean {
    return this.operations.some(({ operation }) => operation.mayFail === true && operation.counter === counter);
  }

  /** The row may never have come about: what was done to it later may be refused. */
  get isUncertain(): boolean {
    for (const { state, operation } of this.of('append')) return state !== 'acknowledged' || operation.mayFail === true;
    return true;
  }

  /** Its delete may have been carried out: what was asked for after it may be refused. */
  wasPerhapsDeletedBefore(later: OperationHistory): boolean {
    for (const known of this.of('delete')) if (known !== later && known.invokedMs < later.invokedMs) return true;
    return false;
  }

  lines(): string[] {
    return this.operations.flatMap((known) => known.lines);
  }
}

function isKnownBefore({ state, acknowledgedMs = Infinity, operation }: OperationHistory, ms: number): boolean {
  return state === 'acknowledged' && acknowledgedMs < ms && operation.mayFail !== true;
}

export function isFailed(receipt: FinalReceipt | undefined): boolean {
  return receipt?.state === 'failed' || receipt?.state === 'cancelled';
}

import type { FinalState, HistoryEvent, Operation, OperationKind, SeenRow, ViolationKind } from './events';
import { HistoryChecker } from './history-checker';

const TAB = 'rows';
const ORDERED = 'ledger';

/** A hand-made history: times count up by themselves unless given. */
class History {
  readonly checker = new HistoryChecker(new Set([ORDERED]));
  private nowMs = 0;
  private readonly receipts = new Map<string, { state: string; code?: string }>();

  asks(kind: OperationKind, key: string, counter = 1, more: Partial<Operation> = {}): this {
    const operation: Operation = { id: idOf(kind, key, counter), client: 'a', kind, tab: TAB, key, counter, ...more };
    return this.take({ type: 'invoke', atMs: this.tick(), operation });
  }

  told(kind: OperationKind, key: string, counter = 1, receipt: { state: string; code?: string } = { state: 'applied' }): this {
    const operationId = idOf(kind, key, counter);
    this.receipts.set(operationId, receipt);
    return this.take({ type: 'ack', atMs: this.tick(), operationId, status: 202, receiptId: operationId });
  }

  toldNo(kind: OperationKind, key: string, counter: number, status: number, code: string): this {
    return this.take({ type: 'fail', atMs: this.tick(), operationId: idOf(kind, key, counter), status, code });
  }

  toldNothing(kind: OperationKind, key: string, counter = 1): this {
    return this.take({ type: 'unknown', atMs: this.tick(), operationId: idOf(kind, key, counter), why: 'cut' });
  }

  done(kind: OperationKind, key: string, counter = 1, more: Partial<Operation> = {}): this {
    return this.asks(kind, key, counter, more).told(kind, key, counter);
  }

  sees(rows: readonly SeenRow[], { client = 'b', tab = TAB, onlyKey = undefined as string | undefined } = {}): this {
    return this.take({ type: 'read', client, tab, startMs: this.tick(), endMs: this.tick(), rows, onlyKey });
  }

  take(event: HistoryEvent): this {
    this.checker.take(event);
    return this;
  }

  ends(rows: readonly SeenRow[], more: Partial<FinalState> = {}): this {
    const tabs = new Map([[TAB, rows]]);
    this.checker.finish({ tabs, receipts: this.receipts, personRows: new Map(), ...more });
    return this;
  }

  get found(): ViolationKind[] {
    return this.checker.violations.map(({ kind }) => kind);
  }

  private tick(): number {
    return (this.nowMs += 1);
  }
}

const idOf = (kind: OperationKind, key: string, counter: number): string => `${kind} ${key} ${counter}`;
const history = (): History => new History();

describe('a history without fault is passed', () => {
  it.each<[string, History]>([
    ['nothing at all', history().ends([])],
    ['an append, seen and there', history().done('append', 'k').sees([['k', 1]]).ends([['k', 1]])],
    ['an append that was not answered, and is not there', history().asks('append', 'k').toldNothing('append', 'k').sees([]).ends([])],
    ['an append that was not answered, and is there', history().asks('append', 'k').toldNothing('append', 'k').sees([['k', 1]]).ends([['k', 1]])],
    ['the same, answered when asked again', history().asks('append', 'k').toldNothing('append', 'k').told('append', 'k').ends([['k', 1]])],
    ['a patch under way, seen and not seen yet', history().done('append', 'k').asks('patch', 'k', 2).sees([['k', 1]]).sees([['k', 2]]).told('patch', 'k', 2).ends([['k', 2]])],
    ['a delete under way', history().done('append', 'k').asks('delete', 'k', 1).sees([['k', 1]]).sees([]).told('delete', 'k', 1).sees([]).ends([])],
    ['a refusal that was meant', history().asks('append', 'k', 1, { mayFail: true }).told('append', 'k', 1, { state: 'failed', code: 'rejected-by-upstream' }).sees([['k', 1]]).sees([]).ends([])],
    ['a patch meant to be refused, seen until it is', history().done('append', 'k').asks('patch', 'k', 2, { mayFail: true }).told('patch', 'k', 2, { state: 'failed', code: 'rejected-by-upstream' }).sees([['k', 2]]).sees([['k', 1]]).ends([['k', 1]])],
    ['a patch of a row that never came about', history().asks('append', 'k').toldNothing('append', 'k').asks('patch', 'k', 2).told('patch', 'k', 2, { state: 'failed', code: 'row-gone' }).ends([])],
    ["a person's row", history().take({ type: 'person', key: 'p' }).sees([['p', 1]]).ends([['p', 2]], { personRows: new Map([[TAB, new Map([['p', 2]])]]) })],
  ])('%s', (_, { found }) => {
    expect(found).toEqual([]);
  });
}); // prettier-ignore

describe('each violation is seen', () => {
  it.each<[ViolationKind, string, History]>([
    ['lost', 'an acknowledged append that is not there', history().done('append', 'k').ends([])],
    ['lost', 'an acknowledged patch whose value is not there', history().done('append', 'k').done('patch', 'k', 2).ends([['k', 1]])],
    ['lost', 'an acknowledged delete whose row is there', history().done('append', 'k').done('delete', 'k', 1).ends([['k', 1]])],
    ['lost', 'an acknowledged write that failed for no reason of its own', history().asks('append', 'k').told('append', 'k', 1, { state: 'failed', code: 'key-taken' }).ends([['k', 1]])],
    ['lost', 'an acknowledged write that stays pending', history().asks('append', 'k').told('append', 'k', 1, { state: 'sending' }).ends([['k', 1]])],
    ['lost', 'an acknowledged write without a receipt', history().done('append', 'k').ends([['k', 1]], { receipts: new Map() })],
    ['lost', 'a write on a row that is there, refused at once', history().done('append', 'k').asks('patch', 'k', 2).toldNo('patch', 'k', 2, 404, 'row-gone').ends([['k', 1]])],
    ['lost', "a person's row that somebody else has changed", history().take({ type: 'person', key: 'p' }).ends([['p', 9]], { personRows: new Map([[TAB, new Map([['p', 2]])]]) })],
    ['doubled', 'a row that is there twice', history().done('append', 'k').ends([['k', 1], ['k', 1]])],
    ['doubled', 'a row without an answer that is there twice', history().asks('append', 'k').toldNothing('append', 'k').ends([['k', 1], ['k', 1]])],
    ['doubled', 'a read with a row twice', history().done('append', 'k').sees([['k', 1], ['k', 1]]).ends([['k', 1]])],
    ['stale', 'a read without an acknowledged append', history().done('append', 'k').sees([]).ends([['k', 1]])],
    ['stale', 'a read of one row that lacks it', history().done('append', 'k').sees([], { onlyKey: 'k' }).ends([['k', 1]])],
    ['stale', 'a read with an older value', history().done('append', 'k').done('patch', 'k', 2).sees([['k', 1]]).ends([['k', 2]])],
    ['stale', 'a read with a deleted row', history().done('append', 'k').done('delete', 'k', 1).sees([['k', 1]]).ends([])],
    ['stale', 'a patch refused since its row is not known', history().done('append', 'k').asks('patch', 'k', 2).toldNo('patch', 'k', 2, 404, 'unknown-row').ends([['k', 1]])],
    ['went-back', 'a value seen, and then an older one', history().done('append', 'k').asks('patch', 'k', 2).sees([['k', 2]]).sees([['k', 1]]).told('patch', 'k', 2).ends([['k', 2]])],
    ['went-back', 'a row seen, and then not', history().asks('append', 'k').sees([['k', 1]]).sees([]).told('append', 'k').ends([['k', 1]])],
    ['went-back', 'a row gone, and then there', history().done('append', 'k').asks('delete', 'k', 1).sees([['k', 1]]).sees([]).sees([['k', 1]]).told('delete', 'k', 1).ends([])],
    ['invented', 'a read with a row of nobody', history().sees([['k', 1]]).ends([])],
    ['invented', 'a read with a value of nobody', history().done('append', 'k').sees([['k', 7]]).ends([['k', 1]])],
    ['invented', 'a row of nobody at the end', history().ends([['k', 1]])],
    ['invented', 'a refused row at the end', history().asks('append', 'k', 1, { mayFail: true }).told('append', 'k', 1, { state: 'failed', code: 'rejected-by-upstream' }).ends([['k', 1]])],
  ])('%s: %s', (kind, _, { found }) => {
    expect(found).toEqual([kind]);
  });
}); // prettier-ignore

describe('order', () => {
  const two = (): History => history().done('append', 'first', 1, { tab: ORDERED }).done('append', 'second', 1, { tab: ORDERED });
  const upside: SeenRow[] = [['second', 1], ['first', 1]]; // prettier-ignore

  it('one after the other has to stand one below the other', () => {
    const end = (rows: SeenRow[]): ViolationKind[] => two().ends([], { tabs: new Map([[ORDERED, rows]]) }).found;
    expect(end([...upside].reverse())).toEqual([]);
    expect(end(upside)).toEqual(['reordered']);
  });

  it('in reads too', () => {
    expect(two().sees(upside, { tab: ORDERED }).found).toEqual(['reordered']);
  });

  it('those asked for side by side may stand either way', () => {
    const both = history().asks('append', 'first', 1, { tab: ORDERED }).asks('append', 'second', 1, { tab: ORDERED });
    both
      .told('append', 'first')
      .told('append', 'second')
      .ends([], { tabs: new Map([[ORDERED, upside]]) });
    expect(both.found).toEqual([]);
  });

  it('is judged past rows between the two', () => {
    const three = two().asks('append', 'other', 1, { tab: ORDERED }).told('append', 'other');
    three.ends([], { tabs: new Map([[ORDERED, [['second', 1], ['other', 1], ['first', 1]]]]) }); // prettier-ignore
    expect(three.found).toEqual(['reordered']);
  });
});

it('a violation tells the history of its row', () => {
  const [{ what, history: lines }] = history().done('append', 'k').sees([]).checker.violations;
  expect(what).toBe('the read of rows by b from [0.003 s] to [0.004 s] lacks k, which was acknowledged before');
  expect(lines).toEqual(['[0.001 s] a asks to append k (counter 1)', '[0.002 s] answered 202, receipt append k 1']);
});

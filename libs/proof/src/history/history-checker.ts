/**
 * Judges a history of writes and reads. Pure: it is told events and says what must not have happened; it asks nobody.
 *
 * Reads are judged when they come, against what was known when they began and what had been asked for when they ended, so that
 * nothing of a read has to be kept. Writes are judged by `finish`, against the spreadsheet itself.
 *
 *   asked for ── 200, 201, 202 ──▶ acknowledged: in every later read; in the spreadsheet once, unless its receipt says why not
 *      │  ▲  ── 4xx ─────────────▶ refused: never seen
 *      ▼  │
 *     open: may be seen or not; in the spreadsheet once or not at all
 *
 * What a person does to rows of their own is no write here; only that nobody else touches those rows.
 */
import {
  type FinalReceipt,
  type FinalState,
  type HistoryEvent,
  type ReadEvent,
  type SeenRow,
  type Violation,
  type ViolationKind,
} from './events';
import { isFailed, RowHistory, type OperationHistory } from './row-history';

/** Verdicts that a write on a row which may not exist can meet. */
const FOLLOWS_FROM_DOUBT = new Set(['row-gone', 'unknown-row', 'key-taken', 'duplicate-key']);

export class HistoryChecker {
  readonly violations: Violation[] = [];
  private readonly rows = new Map<string, RowHistory>();
  /** Tab -> the rows that may have to be in a read of it: those of which no delete is acknowledged. */
  private readonly live = new Map<string, Set<RowHistory>>();
  private readonly operations = new Map<string, { readonly known: OperationHistory; readonly row: RowHistory }>();
  private readonly personKeys = new Set<string>();

  /** @param orderedTabs tabs whose rows only appends put there, and nobody sorts */
  constructor(private readonly orderedTabs: ReadonlySet<string>) {}

  take(event: HistoryEvent): void {
    switch (event.type) {
      case 'invoke': {
        const { operation, atMs } = event;
        const row = this.rowOf(operation.tab, operation.key);
        const line = `${time(atMs)} ${operation.client} asks to ${operation.kind} ${operation.key} (counter ${operation.counter}${operation.mayFail ? ', to be refused' : ''})`;
        const known: OperationHistory = { operation, invokedMs: atMs, state: 'open', lines: [line] };
        row.operations.push(known);
        this.operations.set(operation.id, { known, row });
        return;
      }
      case 'ack':
        return this.acknowledged(event);
      case 'fail':
        return this.refused(event);
      case 'unknown':
        this.operationOf(event.operationId).known.lines.push(`${time(event.atMs)} no clear answer: ${event.why}`);
        return;
      case 'person':
        this.personKeys.add(event.key);
        return;
      case 'read':
        return this.read(event);
    }
  }

  private acknowledged(event: Extract<HistoryEvent, { type: 'ack' }>): void {
    const { known, row } = this.operationOf(event.operationId);
    known.lines.push(
      `${time(event.atMs)} answered ${event.status}, ${event.receiptId === undefined ? 'without a receipt' : `receipt ${event.receiptId}`}`,
    );
    known.state = 'acknowledged';
    known.acknowledgedMs = event.atMs;
    known.receiptId = event.receiptId;
    if (known.operation.kind === 'delete') this.live.get(row.tab)?.delete(row);
  }

  private refused(event: Extract<HistoryEvent, { type: 'fail' }>): void {
    const { known, row } = this.operationOf(event.operationId);
    known.lines.push(`${time(event.atMs)} answered ${event.status} ${event.code}`);
    known.state = 'refused';
    if (this.wasToBeExpected(known, row, event.code)) return;
    const kind = event.code === 'unknown-row' ? 'stale' : 'lost';
    this.report(kind, `${describe(known)} was refused: ${event.status} ${event.code}`, row);
  }

  private read(event: ReadEvent): void {
    const seen = new Set<string>();
    for (const [key, counter] of event.rows) {
      if (seen.has(key)) this.report('doubled', `${line(event)} shows ${key} twice`, this.rows.get(nameOf(event.tab, key)));
      else this.readRow(event, key, counter);
      seen.add(key);
    }
    if (event.onlyKey !== undefined) {
      const row = this.rows.get(nameOf(event.tab, event.onlyKey));
      if (row !== undefined && !seen.has(event.onlyKey)) this.missed(event, row);
      return;
    }
    for (const row of this.live.get(event.tab) ?? []) if (!seen.has(row.key)) this.missed(event, row);
    if (this.orderedTabs.has(event.tab)) this.checkOrder(event.rows, event.tab, line(event));
  }

  private readRow(event: ReadEvent, key: string, counter: number): void {
    const { startMs, endMs, tab } = event;
    const row = this.rows.get(nameOf(tab, key));
    if (row === undefined) {
      if (!this.personKeys.has(key))
        this.report('invented', `${line(event)} shows ${key}, which nobody has asked for`, undefined);
      return;
    }
    const what = `${line(event)} shows ${key} with the counter ${counter}`;
    if (!row.mayBeThere(endMs)) this.report('invented', `${what}, but the row was refused or not asked for yet`, row);
    else if (!row.mayHaveCounter(counter, endMs)) this.report('invented', `${what}, which nobody has asked for`, row);
    else if (row.mustBeGone(startMs)) this.report('stale', `${what}, but its delete was acknowledged before`, row);
    else if (counter < row.counterKnownBefore(startMs))
      this.report('stale', `${what}, but ${row.counterKnownBefore(startMs)} was acknowledged before`, row);
    else this.checkNotBack(event, row, counter, what);
  }

  private missed(event: ReadEvent, row: RowHistory): void {
    const what = `${line(event)} lacks ${row.key}`;
    if (row.mustBeThere(event.startMs, event.endMs)) this.report('stale', `${what}, which was acknowledged before`, row);
    else this.checkNotBack(event, row, undefined, what);
  }

  private checkNotBack(event: ReadEvent, row: RowHistory, counter: number | undefined, what: string): void {
    const before = row.lastSeen.get(event.client);
    row.lastSeen.set(event.client, { counter, line: what });
    // A row that this client has not seen yet is not one that has gone.
    if (before === undefined) {
      if (counter === undefined) row.lastSeen.delete(event.client);
      return;
    }
    const wentBack =
      counter === undefined
        ? before.counter !== undefined && !row.mayBeDeletedBy(event.endMs)
        : before.counter === undefined || counter < before.counter;
    if (wentBack && !row.mayLose(before.counter)) this.report('went-back', what, row, [before.line]);
  }

  /** `rows` are in the order of the sheet: none may have been asked for after one below it was acknowledged. */
  private checkOrder(rows: readonly SeenRow[], tab: string, where: string): void {
    let latest: OperationHistory | undefined;
    for (const [key] of rows) {
      const append = this.rows.get(nameOf(tab, key))?.operations[0];
      if (append === undefined) continue;
      if (latest !== undefined && append.state === 'acknowledged' && (append.acknowledgedMs as number) < latest.invokedMs) {
        const what = `${where}: ${latest.operation.key} stands before ${key}, which was acknowledged before the other was asked for`;
        this.report('reordered', what, undefined, [...append.lines, ...latest.lines]);
        return;
      }
      if (latest === undefined || append.invokedMs > latest.invokedMs) latest = append;
    }
  }

  /** Judges what is left when everything has come to rest. */
  finish({ tabs, receipts, personRows }: FinalState): void {
    const counts = new Map<string, SeenRow[]>();
    for (const [tab, rows] of tabs) {
      for (const row of rows) {
        const name = nameOf(tab, row[0]);
        counts.set(name, [...(counts.get(name) ?? []), row]);
        if (!this.rows.has(name) && !this.personKeys.has(row[0]))
          this.report('invented', `at the end ${tab} holds ${row[0]}, which nobody has asked for`, undefined);
      }
      if (this.orderedTabs.has(tab)) this.checkOrder(rows, tab, `at the end of ${tab}`);
    }
    for (const [name, row] of this.rows) this.finishRow(row, counts.get(name) ?? [], receipts);
    for (const [tab, expected] of personRows) {
      for (const [key, counter] of expected) {
        const found = counts.get(nameOf(tab, key)) ?? [];
        if (found.length === 1 && found[0][1] === counter) continue;
        const what = `at the end ${tab} holds the person's ${key} ${found.length} time(s) with ${found.map((row) => row[1]).join()}, expected ${counter}`;
        this.report(found.length > 1 ? 'doubled' : 'lost', what, undefined);
      }
    }
  }

  private finishRow(row: RowHistory, found: readonly SeenRow[], receipts: ReadonlyMap<string, FinalReceipt>): void {
    let least = 0;
    let most = 0;
    let counterLeast = 0;
    for (const known of row.operations) {
      const { operation, state, receiptId } = known;
      const receipt = receiptId === undefined ? undefined : receipts.get(receiptId);
      if (state === 'acknowledged' && !this.checkReceipt(known, row, receipt)) return;
      if (state === 'refused' || isFailed(receipt)) continue;
      const certain = state === 'acknowledged';
      if (operation.kind === 'append') [least, most] = [certain ? 1 : 0, 1];
      else if (operation.kind === 'delete') [least, most] = [0, certain ? 0 : most];
      if (operation.kind !== 'delete' && certain) counterLeast = operation.counter;
    }
    const there = `at the end ${row.tab} holds ${row.key} ${found.length} time(s)`;
    if (found.length > 1) return this.report('doubled', there, row);
    if (found.length < least) return this.report('lost', there, row);
    if (found.length > most) {
      const deleted = row.mustBeGone(Infinity);
      return this.report(
        deleted ? 'lost' : 'invented',
        deleted ? `${there}: its delete is lost` : `${there}: it was refused`,
        row,
      );
    }
    if (found.length === 0) return;
    const [, counter] = found[0];
    if (counter < counterLeast)
      this.report('lost', `${there}, with the counter ${counter}; ${counterLeast} was acknowledged`, row);
    else if (!this.mayEndWith(row, counter, receipts))
      this.report('invented', `${there}, with the counter ${counter}, which was refused or not asked for`, row);
  }

  private mayEndWith(row: RowHistory, counter: number, receipts: ReadonlyMap<string, FinalReceipt>): boolean {
    return row.operations.some(
      ({ operation, state, receiptId }) =>
        operation.counter === counter && state !== 'refused' && !isFailed(receipts.get(receiptId ?? '')),
    );
  }

  /** @returns false where the receipt is a violation by itself. */
  private checkReceipt(known: OperationHistory, row: RowHistory, receipt: FinalReceipt | undefined): boolean {
    if (known.receiptId === undefined || receipt?.state === 'applied') return true;
    if (isFailed(receipt) && this.wasToBeExpected(known, row, receipt?.code ?? '')) return true;
    const ended = receipt === undefined ? 'has no receipt' : `ended ${receipt.state} ${receipt.code ?? 'without a reason'}`;
    this.report('lost', `${describe(known)} was acknowledged and ${ended}`, row);
    return false;
  }

  private wasToBeExpected(known: OperationHistory, row: RowHistory, code: string): boolean {
    if (known.operation.mayFail === true) return code === 'rejected-by-upstream';
    const inDoubt = (known.operation.kind !== 'append' && row.isUncertain) || row.wasPerhapsDeletedBefore(known);
    return inDoubt && FOLLOWS_FROM_DOUBT.has(code);
  }

  private report(kind: ViolationKind, what: string, row: RowHistory | undefined, more: readonly string[] = []): void {
    this.violations.push({ kind, what, history: [...(row?.lines() ?? []), ...more] });
  }

  private rowOf(tab: string, key: string): RowHistory {
    const name = nameOf(tab, key);
    let row = this.rows.get(name);
    if (row === undefined) {
      row = new RowHistory(tab, key);
      this.rows.set(name, row);
      const live = this.live.get(tab) ?? new Set();
      this.live.set(tab, live.add(row));
    }
    return row;
  }

  private operationOf(id: string): { readonly known: OperationHistory; readonly row: RowHistory } {
    const found = this.operations.get(id);
    if (found === undefined) throw new Error(`the history knows no operation ${id}`);
    return found;
  }
}

const nameOf = (tab: string, key: string): string => `${tab}/${key}`;

const time = (ms: number): string => `[${(ms / 1_000).toFixed(3)} s]`;

function line({ client, tab, startMs, endMs }: ReadEvent): string {
  return `the read of ${tab} by ${client} from ${time(startMs)} to ${time(endMs)}`;
}

function describe({ operation: { kind, key, counter, client } }: OperationHistory): string {
  return `the ${kind} of ${key} (counter ${counter}) by ${client}`;
}

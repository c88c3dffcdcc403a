/** All spreadsheets of the mock, each as its latest state. */
import { Injectable } from '@nestjs/common';
import { notFound, Transaction, type WorkbookState } from '@app/workbook';
import { Clock } from '../time/clock';

export interface EditOptions {
  readonly acceptClashingMetadataIds: boolean;
}

/** Old states that are kept for lagging reads, at most: they share their rows, but not their lists of rows. */
const HISTORY_MAX = 2_000;

interface PastState {
  /** Until when it was the latest. */
  readonly untilMs: number;
  readonly state: WorkbookState;
}

@Injectable()
export class SpreadsheetStore {
  private books = new Map<string, WorkbookState>();
  private past = new Map<string, PastState[]>();
  private changed = new Set<string>();
  private listener: () => void = () => undefined;
  /** 0 keeps no old states. */
  historyMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Called after each change, for whoever writes the spreadsheets to disk. */
  onChange(listener: () => void): void {
    this.listener = listener;
  }

  has(spreadsheetId: string): boolean {
    return this.books.has(spreadsheetId);
  }

  get(spreadsheetId: string): WorkbookState {
    const book = this.books.get(spreadsheetId);
    if (!book) throw notFound();
    return book;
  }

  /** As it was some time ago; the oldest known state where that is not known. */
  getAsOf(spreadsheetId: string, atMs: number): WorkbookState {
    const past = this.past.get(spreadsheetId)?.find(({ untilMs }) => untilMs > atMs);
    return past?.state ?? this.get(spreadsheetId);
  }

  /** All of `change` or, if it throws, nothing. */
  edit<T>(spreadsheetId: string, options: EditOptions, change: (transaction: Transaction) => T): T {
    const transaction = new Transaction(this.get(spreadsheetId), { ...options, random: Math.random });
    const result = change(transaction);
    this.put(transaction.commit());
    return result;
  }

  put(book: WorkbookState): void {
    this.remember(book.spreadsheetId);
    this.books.set(book.spreadsheetId, book);
    this.changed.add(book.spreadsheetId);
    this.listener();
  }

  /** Throws all away and starts from these. */
  replaceAll(books: readonly WorkbookState[]): void {
    for (const id of this.books.keys()) this.changed.add(id);
    for (const { spreadsheetId } of books) this.changed.add(spreadsheetId);
    this.books = new Map(books.map((book) => [book.spreadsheetId, book]));
    this.past.clear();
    this.listener();
  }

  /** What has changed since this was last asked; an undefined state is a spreadsheet that is gone. */
  takeChanged(): Map<string, WorkbookState | undefined> {
    const changed = new Map([...this.changed].map((id) => [id, this.books.get(id)]));
    this.changed = new Set();
    return changed;
  }

  private remember(spreadsheetId: string): void {
    const state = this.books.get(spreadsheetId);
    if (this.historyMs <= 0 || !state) return;
    const nowMs = this.clock.nowMs();
    const past = this.past.get(spreadsheetId) ?? [];
    past.push({ untilMs: nowMs, state });
    while (past.length > HISTORY_MAX || (past[0] && past[0].untilMs < nowMs - this.historyMs)) past.shift();
    this.past.set(spreadsheetId, past);
  }
}

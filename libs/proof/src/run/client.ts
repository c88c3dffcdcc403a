/**
 * A client of the gateways: appends, patches, deletes and reads, one thing after the other, on keys of its own. It notes in the
 * history what it asked and what it was told, and asks again, with the same Idempotency-Key, in most cases where it was told nothing.
 */
import { monotonicMs, pause } from '@app/platform';
import type { HistoryChecker, Operation, SeenRow } from '../history';
import type { Counts } from './counts';
import { send, type HttpAnswer } from './http';
import type { Random } from './random';
import { POISON } from './settings';
import type { TabName } from './spreadsheet';

/** Longer than a direct write waits for the upstream, shorter than a paused process stays away. */
const ANSWER_TIMEOUT_MS = 4_000;
const RETRY_AFTER_MS = 150;

/** Rows of `rows` that a client keeps: each read carries all of them. */
const LIVE_ROWS_MAX = 12;

export interface ClientSurroundings {
  readonly gateways: readonly string[];
  readonly checker: HistoryChecker;
  readonly counts: Counts;
  /** A person is about to move rows, and waits until no client is at work. */
  readonly gate: { pass(): Promise<void>; leave(): void };
  readonly appendsOnly: boolean;
  /** No more new requests. */
  readonly isOver: () => boolean;
  /** No more asking again either. */
  readonly gaveUp: () => boolean;
}

const COUNTED_AS = { append: 'appends', patch: 'patches', delete: 'deletes' } as const;

interface LiveRow {
  readonly key: string;
  counter: number;
}

export class ProofClient {
  private readonly live: LiveRow[] = [];
  private sequence = 0;

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly around: ClientSurroundings,
  ) {}

  async run(): Promise<void> {
    while (!this.around.isOver()) {
      await this.around.gate.pass();
      try {
        await this.doSomething();
      } finally {
        this.around.gate.leave();
      }
      await pause(this.random.between(2, 40));
    }
  }

  private async doSomething(): Promise<void> {
    const { random, live } = this;
    const drawn = random.next();
    if (drawn < 0.4) return await this.readSomething();
    if (drawn < 0.5 || this.around.appendsOnly) return await this.append('ledger');
    if (drawn < 0.56) return await this.append('shared');
    if (live.length === 0 || (drawn < 0.7 && live.length < LIVE_ROWS_MAX)) return await this.append('rows');
    const row = random.pick(live);
    if (drawn < 0.9 && live.length < LIVE_ROWS_MAX) return await this.patch(row);
    await this.delete(row);
  }

  private async append(tab: TabName): Promise<void> {
    this.sequence += 1;
    const key = `${this.name}-${this.sequence}`;
    const mayFail = this.random.chance(0.02);
    const operation: Operation = { id: `${key}/1`, client: this.name, kind: 'append', tab, key, counter: 1, mayFail };
    const body = { id: key, counter: 1, client: this.name, text: mayFail ? POISON : '=1+1 is text' };
    const certain = await this.write(operation, 'POST', `/sheets/${tab}/rows`, body);
    if (certain && !mayFail && tab === 'rows') this.live.push({ key, counter: 1 });
  }

  private async patch(row: LiveRow): Promise<void> {
    row.counter += 1;
    const { key, counter } = row;
    const mayFail = this.random.chance(0.02);
    const operation: Operation = {
      id: `${key}/${counter}`,
      client: this.name,
      kind: 'patch',
      tab: 'rows',
      key,
      counter,
      mayFail,
    };
    const body = { counter, text: mayFail ? POISON : `patched ${counter}` };
    // What is not certain is left alone from here on.
    if (!(await this.write(operation, 'PATCH', `/sheets/rows/rows/${key}`, body))) this.forget(row);
  }

  private async delete(row: LiveRow): Promise<void> {
    this.forget(row);
    const { key, counter } = row;
    const operation: Operation = { id: `${key}/delete`, client: this.name, kind: 'delete', tab: 'rows', key, counter };
    await this.write(operation, 'DELETE', `/sheets/rows/rows/${key}`, undefined);
  }

  private forget(row: LiveRow): void {
    this.live.splice(this.live.indexOf(row), 1);
  }

  /** @returns whether it was acknowledged. */
  private async write(operation: Operation, method: string, path: string, body: unknown): Promise<boolean> {
    const { checker, counts, gaveUp } = this.around;
    const asksAgain = this.random.chance(0.85);
    const headers: Record<string, string> = asksAgain ? { 'Idempotency-Key': operation.id } : {};
    checker.take({ type: 'invoke', atMs: monotonicMs(), operation });
    for (let isFirst = true; ; isFirst = false) {
      const answer = await this.ask(method, path, body, headers);
      const atMs = monotonicMs();
      const count = (what: string): void => counts.add(isFirst ? COUNTED_AS[operation.kind] : 'asked again', what);
      if (answer.kind === 'answered' && answer.status < 300) {
        count(String(answer.status));
        const { id } = answer.body as { id?: string };
        checker.take({ type: 'ack', atMs, operationId: operation.id, status: answer.status, receiptId: id });
        return true;
      }
      if (answer.kind === 'answered' && answer.status < 500 && answer.status !== 429) {
        const { code = '' } = answer.body as { code?: string };
        count(`${answer.status} ${code}`);
        checker.take({ type: 'fail', atMs, operationId: operation.id, status: answer.status, code });
        return false;
      }
      const why = answer.kind === 'answered' ? `${answer.status}` : answer.kind === 'no-answer' ? answer.why : answer.kind;
      count(why);
      checker.take({ type: 'unknown', atMs, operationId: operation.id, why });
      if (!asksAgain || gaveUp()) return false;
      await pause(RETRY_AFTER_MS);
    }
  }

  /** Asks any gateway; where nobody listens, the next one. */
  private async ask(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<HttpAnswer> {
    for (;;) {
      const url = this.random.pick(this.around.gateways) + path;
      const answer = await send({ method, url, body, headers, timeoutMs: ANSWER_TIMEOUT_MS });
      if (answer.kind !== 'not-sent' || this.around.gaveUp()) return answer;
      await pause(RETRY_AFTER_MS);
    }
  }

  private async readSomething(): Promise<void> {
    const drawn = this.random.next();
    if (drawn < 0.5 && this.live.length > 0) return await this.readRow(this.random.pick(this.live).key);
    if (this.around.appendsOnly) return await this.readTab('ledger');
    await this.readTab(drawn < 0.85 ? 'rows' : drawn < 0.95 ? 'shared' : 'ledger');
  }

  private async readTab(tab: TabName): Promise<void> {
    const startMs = monotonicMs();
    const answer = await this.ask('GET', `/sheets/${tab}/rows`, undefined, {});
    const endMs = monotonicMs();
    if (!this.counts(answer, [200])) return;
    const { rows } = answer.body as { rows: { id: unknown; counter: unknown }[] };
    const seen = rows.map(({ id, counter }): SeenRow => [String(id), Number(counter)]).filter(([key]) => key !== '');
    this.around.checker.take({ type: 'read', client: this.name, tab, startMs, endMs, rows: seen });
  }

  private async readRow(key: string): Promise<void> {
    const startMs = monotonicMs();
    const answer = await this.ask('GET', `/sheets/rows/rows/${key}`, undefined, {});
    const endMs = monotonicMs();
    if (!this.counts(answer, [200, 404])) return;
    const { counter } = answer.body as { counter: unknown };
    const rows: SeenRow[] = answer.status === 404 ? [] : [[key, Number(counter)]];
    this.around.checker.take({ type: 'read', client: this.name, tab: 'rows', startMs, endMs, rows, onlyKey: key });
  }

  /** @returns whether it is an answer that promises something; one from a process's memory, while Redis is away, does not. */
  private counts(answer: HttpAnswer, statuses: readonly number[]): answer is Extract<HttpAnswer, { kind: 'answered' }> {
    const { counts } = this.around;
    if (answer.kind !== 'answered') {
      counts.add('reads', answer.kind === 'no-answer' ? answer.why : answer.kind);
      return false;
    }
    const reason = answer.headers.get('x-degraded-reason');
    counts.add('reads', `${answer.status}${reason === null ? '' : ` ${reason}`}`);
    return statuses.includes(answer.status) && reason !== 'redis-unavailable';
  }
}

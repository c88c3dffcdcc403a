import { monotonicMs } from '@app/platform';

/**
 * Tells when many writers at once keep one spreadsheet so busy that waiting for each batch would only make many small ones.
 *
 * The service advises about one request a second for a spreadsheet that several write at the same time, and answers 503 to more.
 * So direct writes may use that rate over ten seconds, in whatever rhythm; past it, and only while many others wait too, a write
 * is queued and paced instead. A few clients that write in sequence never meet this.
 */
const SPAN_MS = 10_000;
const CALLS_PER_SPAN = 10;
const WRITERS_AT_ONCE = 8;

export class Contention {
  private readonly calls = new Map<string, number[]>();
  private readonly waiting = new Map<string, number>();

  isContended(name: string): boolean {
    return (this.waiting.get(name) ?? 0) >= WRITERS_AT_ONCE && this.recent(name).length >= CALLS_PER_SPAN;
  }

  called(name: string): void {
    this.calls.set(name, [...this.recent(name), monotonicMs()]);
  }

  /** Counts the writer among those who wait while `work` runs. */
  async whileWaiting<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.waiting.set(name, (this.waiting.get(name) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.waiting.get(name) ?? 1) - 1;
      if (left === 0) this.waiting.delete(name);
      else this.waiting.set(name, left);
    }
  }

  private recent(name: string): number[] {
    const since = monotonicMs() - SPAN_MS;
    const recent = (this.calls.get(name) ?? []).filter((atMs) => atMs > since);
    if (recent.length === 0) this.calls.delete(name);
    return recent;
  }
}

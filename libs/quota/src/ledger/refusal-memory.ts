/**
 * What a process was refused, so that it does not ask again before the answer can be another one: until the refusing quota can
 * free a place by time, at most `recheckMs`. When that is over, one of those who wait asks for all.
 */
import type { Refusal } from '../policy/refusal';
import type { QuotaStatus } from './quota-status';

export interface Refused {
  readonly refusal: Refusal;
  readonly status: QuotaStatus;
}

interface Remembered extends Refused {
  readonly atMs: number;
  readonly untilMs: number;
  probe?: Promise<unknown>;
}

/** Users come from outside, so the number of remembered questions is bounded. */
const REMEMBERED_MAX = 1_000;

export class RefusalMemory {
  private readonly refusals = new Map<string, Remembered>();
  /** How many questions were answered from memory. */
  answered = 0;

  constructor(
    private readonly recheckMs: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** The remembered refusal while it holds; otherwise what `ask` answers. `refused` picks the refusal out of an answer. */
  async consult<T>(question: string, ask: () => Promise<T>, refused: (answer: T) => Refused | undefined): Promise<T | Refused> {
    for (;;) {
      const known = this.refusals.get(question);
      if (known === undefined) return this.note(question, await ask(), refused);
      const nowMs = this.monotonicMs();
      if (nowMs < known.untilMs) {
        this.answered += 1;
        return { status: known.status, refusal: aged(known.refusal, nowMs - known.atMs) };
      }
      if (known.probe === undefined) {
        const probe = ask().then((answer) => this.note(question, answer, refused));
        known.probe = probe.catch(() => this.refusals.delete(question));
        return await probe;
      }
      await known.probe;
    }
  }

  /** A remembered refusal that still holds, as it was given. No question is asked. */
  remembered(question: string): Refusal | undefined {
    const known = this.refusals.get(question);
    if (known === undefined || this.monotonicMs() >= known.untilMs) return undefined;
    this.answered += 1;
    return known.refusal;
  }

  /** A place was given back by this process: what was refused may be granted now. */
  forget(): void {
    this.refusals.clear();
  }

  private note<T>(question: string, answer: T, refused: (answer: T) => Refused | undefined): T {
    const no = refused(answer);
    this.refusals.delete(question);
    if (no !== undefined) {
      if (this.refusals.size >= REMEMBERED_MAX) this.refusals.clear();
      const atMs = this.monotonicMs();
      this.refusals.set(question, { ...no, atMs, untilMs: atMs + Math.min(no.refusal.retryInMs, this.recheckMs) });
    }
    return answer;
  }
}

function aged(refusal: Refusal, ageMs: number): Refusal {
  return { ...refusal, retryInMs: Math.max(1, Math.ceil(refusal.retryInMs - ageMs)) };
}

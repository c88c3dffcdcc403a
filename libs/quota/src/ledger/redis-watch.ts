/**
 * Asks Redis with patience that ends. A Redis that is cut off is noticed by the client at once; one that hangs is noticed
 * here, after `answerMs`, and from then on every question fails at once except one every `PROBE_EVERY_MS`, until it answers.
 * A question given up may still be carried out: `late` gets its answer.
 */
import { CodedError } from '@app/platform';

const PROBE_EVERY_MS = 250;
const RETRY_AFTER_MS = 1_000;

export class RedisWatch {
  private silentUntilMs = -Infinity;

  constructor(
    private readonly answerMs: number,
    private readonly monotonicMs: () => number,
  ) {}

  async ask<T>(question: () => Promise<T>, late?: (answer: T) => void): Promise<T> {
    const nowMs = this.monotonicMs();
    if (nowMs < this.silentUntilMs) throw unavailable(new Error('Redis has not answered for a while'));
    // While it is silent this question is the probe, and the next may be asked only after it.
    if (this.silentUntilMs > -Infinity) this.silentUntilMs = nowMs + PROBE_EVERY_MS;
    try {
      const answer = await this.answered(question(), late);
      this.silentUntilMs = -Infinity;
      return answer;
    } catch (error) {
      throw error instanceof CodedError ? error : unavailable(error);
    }
  }

  private answered<T>(pending: Promise<T>, late?: (answer: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let given = false;
      const giveUp = (): void => {
        given = true;
        this.silentUntilMs = this.monotonicMs() + PROBE_EVERY_MS;
        reject(unavailable(new Error(`Redis did not answer within ${this.answerMs} ms`)));
      };
      // After a busy spell of this process the answer may be waiting in its socket: let it be read before giving up.
      const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), this.answerMs);
      pending.then(
        (answer) => {
          clearTimeout(timer);
          if (!given) return resolve(answer);
          this.silentUntilMs = -Infinity;
          late?.(answer);
        },
        (error: Error) => {
          clearTimeout(timer);
          if (!given) reject(error);
        },
      );
    });
  }
}

export function unavailable(cause: unknown): CodedError {
  return new CodedError(
    {
      code: 'redis-unavailable',
      status: 503,
      message: 'The quota cannot be checked at the moment, so no upstream call is made. Try again in a second.',
      retryAfterMs: RETRY_AFTER_MS,
    },
    { cause },
  );
}

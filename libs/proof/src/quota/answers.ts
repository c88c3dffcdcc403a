/** What the clients got, counted; and what no client should get, kept until it is known who was away when. */
import { Counts } from '../run/counts';
import type { ClientAnswer } from './connections';
import type { Gateway } from './gateways';

const EXPECTED = new Set([200, 201, 202]);

/** One cause often shows in hundreds of answers. */
const KEPT_MAX = 10;

export class Answers {
  readonly counts = new Counts();
  readonly unexpected: string[] = [];
  private readonly broken: { readonly gateway: Gateway; readonly fromMs: number; readonly toMs: number; readonly why: string }[] =
    [];

  add(what: string, answer: ClientAnswer, gateway: Gateway, fromMs: number, toMs: number): void {
    if (answer.kind === 'failed') {
      this.broken.push({ gateway, fromMs, toMs, why: `${what} at ${gateway.name}: ${answer.why}` });
      return;
    }
    this.counts.add('status', String(answer.status));
    const reason = answer.degradedReason === undefined ? '' : ` (${answer.degradedReason})`;
    this.counts.add('degraded', `${answer.degraded ?? 'no header'}${reason}`);
    if (EXPECTED.has(answer.status)) return;
    this.note(`${what} at ${gateway.name}: ${answer.status} ${answer.body.slice(0, 300)}`);
  }

  /** After the run: a connection that broke is the kill's doing, or else something that no client should see. */
  judgeBroken(): void {
    for (const { gateway, fromMs, toMs, why } of this.broken.splice(0)) {
      const killed = gateway.wasAwayBetween(fromMs, toMs);
      this.counts.add('broken', killed ? 'by a kill' : 'without a kill');
      if (!killed) this.note(why);
    }
  }

  private note(text: string): void {
    this.counts.add('unexpected', 'answers');
    if (this.unexpected.length < KEPT_MAX) this.unexpected.push(text);
  }
}

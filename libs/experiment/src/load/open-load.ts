/**
 * Sends each request at its time by the clock, however many are unanswered. Latency counts from the moment at which the request was due,
 * not from when it got away: a generator that falls behind would otherwise hide the very waiting that it is there to measure.
 */
import { monotonicMs, pause, wallMs } from '@app/platform';
import { Connections, type ClientAnswer } from '@app/proof';
import type { Arrival } from './arrivals';
import { kindOf, type Operation } from './operations';
import { outcomeOf, type Outcome } from './outcomes';

export interface PlannedRequest extends Arrival {
  readonly operation: Operation;
}

/** All times since the beginning of the load. */
export interface AnsweredRequest {
  readonly kind: 'read' | 'write';
  readonly dueMs: number;
  readonly sentMs: number;
  readonly doneMs: number;
  readonly outcome: Outcome;
  /** Of the answer's X-System-Degraded; undefined: the stage sends none. */
  readonly degraded?: boolean;
  /** Where it failed: what the answer said. */
  readonly why?: string;
}

export interface OpenLoadOptions {
  readonly rowsUrl: string;
  readonly plan: readonly PlannedRequest[];
  /** What the keys of the rows begin with. */
  readonly keyPrefix: string;
  readonly over: AbortSignal;
}

const WHY_CHARACTERS_MAX = 200;

export class OpenLoad {
  readonly answered: AnsweredRequest[] = [];
  /** Keys of the rows whose append was acknowledged, by 201 or 202. */
  readonly acknowledgedKeys: string[] = [];
  /** The wall clock when the load began: the other processes' logs are in its time. */
  startWallMs = 0;
  sent = 0;
  private startMs = 0;
  private readonly connections = new Connections(Infinity);

  constructor(private readonly options: OpenLoadOptions) {}

  get elapsedMs(): number {
    return this.startMs === 0 ? 0 : monotonicMs() - this.startMs;
  }

  /** Ends when all are answered, or when told that it is over. */
  async run(): Promise<void> {
    const { plan, over } = this.options;
    this.startMs = monotonicMs();
    this.startWallMs = wallMs();
    const inFlight: Promise<void>[] = [];
    const close = (): void => this.connections.close();
    over.addEventListener('abort', close, { once: true });
    try {
      for (const [at, planned] of plan.entries()) {
        const aheadMs = planned.dueMs - this.elapsedMs;
        if (aheadMs > 0) await pause(aheadMs, over);
        if (over.aborted) break;
        this.sent += 1;
        inFlight.push(this.ask(planned, at));
      }
      await Promise.all(inFlight);
    } finally {
      over.removeEventListener('abort', close);
      close();
    }
  }

  private async ask({ operation: planned, dueMs }: PlannedRequest, at: number): Promise<void> {
    const lastKey = this.acknowledgedKeys.at(-1);
    const operation = planned === 'read-back' && lastKey === undefined ? 'list' : planned;
    const key = `${this.options.keyPrefix}-${String(at + 1).padStart(5, '0')}`;
    const sentMs = this.elapsedMs;
    const answer = await this.send(operation, operation === 'append' ? key : (lastKey ?? ''));
    const outcome = outcomeOf(operation, answer);
    if (operation === 'append' && (outcome === 'upstream' || outcome === 'accepted')) this.acknowledgedKeys.push(key);
    const header = answer.kind === 'answered' ? answer.degraded : undefined;
    this.answered.push({
      kind: kindOf(operation),
      dueMs,
      sentMs,
      doneMs: this.elapsedMs,
      outcome,
      degraded: header === undefined ? undefined : header === 'true',
      why: outcome === 'failed' || outcome === 'missing' ? reasonOf(operation, answer) : undefined,
    });
  }

  private async send(operation: Operation, key: string): Promise<ClientAnswer> {
    const { rowsUrl } = this.options;
    if (operation === 'list') return await this.connections.send({ method: 'GET', url: `${rowsUrl}?limit=100` });
    if (operation === 'read-back') return await this.connections.send({ method: 'GET', url: `${rowsUrl}/${key}` });
    const body = { id: key, customer: 'Ada Byron', item: 'desk lamp', quantity: 1, price: 24.5, status: 'new' };
    return await this.connections.send({ method: 'POST', url: rowsUrl, body });
  }
}

function reasonOf(operation: Operation, answer: ClientAnswer): string {
  const what = answer.kind === 'failed' ? answer.why : `${answer.status} ${answer.body}`;
  return `${operation}: ${what.slice(0, WHY_CHARACTERS_MAX)}`;
}

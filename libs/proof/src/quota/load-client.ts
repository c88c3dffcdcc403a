/**
 * One of many clients in a closed loop: a request, its answer, a pause. About three reads to a write. Its writes go round: append a
 * row of its own, patch it twice, delete it; so sheets do not grow however long it runs, and a row that it does not find is a fault.
 */
import { monotonicMs, pause } from '@app/platform';
import type { Random } from '../run/random';
import type { Answers } from './answers';
import type { ClientAnswer, ClientRequest, Connections } from './connections';
import type { Gateway } from './gateways';
import type { Place } from './places';

const WRITE_SHARE = 0.25;
const PATCHES = 2;
const PAGE_ROWS = 20;

/** After a connection broke, before the same is asked again. */
const RETRY_AFTER_MS = 200;

export interface LoadSurroundings {
  readonly gateways: readonly Gateway[];
  readonly connections: Connections;
  readonly answers: Answers;
  readonly thinkMs: number;
  readonly over: AbortSignal;
}

export class LoadClient {
  private rounds = 0;
  /** Writes of its row so far; 0: there is none now. */
  private writes = 0;

  constructor(
    private readonly name: string,
    private readonly place: Place,
    private readonly random: Random,
    private readonly around: LoadSurroundings,
  ) {}

  async run(): Promise<void> {
    const { random, around } = this;
    // Not all at once: they are strangers to each other.
    await pause(random.next() * around.thinkMs, around.over);
    while (!around.over.aborted) {
      if (random.chance(WRITE_SHARE)) await this.write();
      else await this.read();
      await pause(around.thinkMs * (0.5 + random.next()), around.over);
    }
  }

  private get key(): string {
    return `${this.name}-${this.rounds}`;
  }

  private async read(): Promise<void> {
    const ownRow = this.writes > 0 && this.random.chance(0.5);
    await this.ask('GET', ownRow ? `/${this.key}` : `?limit=${PAGE_ROWS}`);
  }

  private async write(): Promise<void> {
    const { writes } = this;
    const step = writes === 0 ? 'append' : writes <= PATCHES ? 'patch' : 'delete';
    if (step === 'append') this.rounds += 1;
    // The first answer of a repeated request is lost with the gateway that gave it; the key makes the second the same.
    const headers = { 'idempotency-key': `${this.key}/${writes}` };
    const done = await {
      append: () => this.ask('POST', '', { id: this.key, who: this.name, count: 0 }, headers),
      patch: () => this.ask('PATCH', `/${this.key}`, { count: writes }, headers),
      delete: () => this.ask('DELETE', `/${this.key}`, undefined, headers),
    }[step]();
    // What it is not sure of it leaves alone.
    this.writes = step === 'delete' || !done ? 0 : writes + 1;
  }

  /** Any gateway, and another one when that is gone. @returns whether it got what it asked for */
  private async ask(method: string, path: string, body?: unknown, headers?: ClientRequest['headers']): Promise<boolean> {
    const { gateways, connections, answers, over } = this.around;
    for (;;) {
      const gateway = this.random.pick(gateways);
      const fromMs = monotonicMs();
      const url = gateway.baseUrl + this.place.path + path;
      const answer: ClientAnswer = await connections.send({ method, url, body, headers });
      answers.add(`${method} ${this.place.path}${path}`, answer, gateway, fromMs, monotonicMs());
      if (answer.kind === 'answered') return answer.status < 300;
      if (over.aborted) return false;
      await pause(RETRY_AFTER_MS, over);
    }
  }
}

/**
 * One client that reads without a pause worth mentioning, one answer after the other from one gateway: answers to many clients cross on
 * their way, and would show changes that never were.
 */
import { monotonicMs, pause } from '@app/platform';
import type { Answers } from './answers';
import type { Connections } from './connections';
import type { Gateway } from './gateways';
import type { Place } from './places';
import { worstWindow } from './worst-window';
import { MINUTE_MS } from './settings';

const EVERY_MS = 200;

export class ModeObserver {
  private readonly changesAtMs: number[] = [];
  private mode: 'direct' | 'degraded' | undefined;

  constructor(
    private readonly gateways: readonly Gateway[],
    private readonly connections: Connections,
    private readonly answers: Answers,
    private readonly place: Place,
  ) {}

  get lastMode(): string {
    return this.mode ?? 'unknown';
  }

  get changes(): number {
    return this.changesAtMs.length;
  }

  get mostInAMinute(): number {
    return worstWindow(this.changesAtMs, MINUTE_MS);
  }

  async watch(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const gateway = this.gateways.find(({ isUp }) => isUp);
      if (gateway !== undefined) await this.look(gateway);
      await pause(EVERY_MS, over);
    }
  }

  private async look(gateway: Gateway): Promise<void> {
    const fromMs = monotonicMs();
    const what = `${this.place.path}?limit=1`;
    const answer = await this.connections.send({ method: 'GET', url: gateway.baseUrl + what });
    this.answers.add(`GET ${what}`, answer, gateway, fromMs, monotonicMs());
    if (answer.kind === 'failed' || answer.degraded === undefined) return;
    // Degraded for another reason, such as a spreadsheet that is being fetched, says nothing of the mode.
    if (answer.degraded === 'true' && answer.degradedReason !== 'quota') return;
    const mode = answer.degraded === 'true' ? 'degraded' : 'direct';
    if (this.mode !== undefined && mode !== this.mode) this.changesAtMs.push(monotonicMs());
    this.mode = mode;
  }
}

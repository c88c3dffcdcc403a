/**
 * One circuit for each spreadsheet, so that one that hangs or fails costs the others nothing.
 *
 *   closed     calls go; so many failures in a row open it
 *   open       nothing is sent: whoever asks is told at once, and readers are answered from the view
 *   half-open  after a pause that grows with every failure, one call tries; if it is answered, the circuit closes
 *   ramp       after that, as many calls at once as were answered since, doubling: a service that has just come back is not met by
 *              all who have waited
 *
 * However well it goes, a spreadsheet has only a part of the sockets.
 */
import { monotonicMs } from '@app/platform';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
  noJitterGenerator,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import type { UpstreamAnswer } from './upstream-answer';

export interface CircuitOptions {
  /** Failures in a row that open a circuit; 0: circuits never open. */
  readonly failuresMax: number;
  /** The pause before the first try, and the longest one. */
  readonly pauseMs: number;
  readonly pauseMaxMs: number;
  /** Calls of one spreadsheet at once. */
  readonly callsAtOnceMax: number;
}

export const CIRCUIT_OPTIONS: CircuitOptions = { failuresMax: 5, pauseMs: 1_000, pauseMaxMs: 10_000, callsAtOnceMax: 32 };

/** Keeps the memory of a process that is asked for ever new spreadsheets within bounds. */
const CIRCUITS_MAX = 10_000;

export class SpreadsheetCircuits {
  private readonly circuits = new Map<string, Circuit>();

  constructor(private readonly options: CircuitOptions = CIRCUIT_OPTIONS) {}

  /** Runs the call, or says why none is made now. Nothing that the circuit refuses has reached the upstream. */
  async run<T>(spreadsheetId: string, call: () => Promise<UpstreamAnswer<T>>): Promise<UpstreamAnswer<T>> {
    return await this.circuitOf(spreadsheetId).run(call);
  }

  /** How many spreadsheets nothing is sent to at present, or only a first try. */
  get openCount(): number {
    return [...this.circuits.values()].filter((circuit) => circuit.isOpen).length;
  }

  private circuitOf(spreadsheetId: string): Circuit {
    const circuit = this.circuits.get(spreadsheetId) ?? new Circuit(this.options);
    // The one used last stands at the end; those at the front that nothing is under way for may go.
    this.circuits.delete(spreadsheetId);
    this.circuits.set(spreadsheetId, circuit);
    if (this.circuits.size > CIRCUITS_MAX) {
      const idle = [...this.circuits].find(([, one]) => one.isIdle);
      if (idle !== undefined) this.circuits.delete(idle[0]);
    }
    return circuit;
  }
}

class Circuit {
  private readonly breaker: CircuitBreakerPolicy | undefined;
  private under = 0;
  /** How many calls may be under way at once, while a circuit that has just closed lets more and more through. */
  private ramp = Infinity;
  private openUntilMs = 0;

  constructor(private readonly options: CircuitOptions) {
    const { failuresMax, pauseMs, pauseMaxMs } = options;
    if (failuresMax === 0) return;
    this.breaker = circuitBreaker(handleWhenResult(isFailure), {
      breaker: new ConsecutiveBreaker(failuresMax),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: pauseMs, maxDelay: pauseMaxMs, generator: noJitterGenerator }),
    });
    this.breaker.onBreak(() => (this.openUntilMs = monotonicMs() + pauseMs));
    this.breaker.onReset(() => (this.ramp = 1));
  }

  get isOpen(): boolean {
    return this.breaker !== undefined && this.breaker.state !== CircuitState.Closed;
  }

  get isIdle(): boolean {
    return this.under === 0 && !this.isOpen;
  }

  async run<T>(call: () => Promise<UpstreamAnswer<T>>): Promise<UpstreamAnswer<T>> {
    if (this.under >= Math.min(this.ramp, this.options.callsAtOnceMax))
      return { kind: 'unreachable', message: 'too many calls of this spreadsheet are under way' };
    this.under += 1;
    try {
      if (this.breaker === undefined) return await call();
      const answer = await this.breaker.execute(call);
      if (!isFailure(answer) && this.ramp < this.options.callsAtOnceMax) this.ramp *= 2;
      return answer;
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const inMs = Math.max(0, Math.round(this.openUntilMs - monotonicMs()));
      return {
        kind: 'unreachable',
        message: `calls of this spreadsheet failed one after the other; the next try is made in ${inMs} ms or later`,
      };
    } finally {
      this.under -= 1;
    }
  }
}

/** A refusal of ours or of the upstream is an answer; so is a call that we did not make. */
function isFailure(answer: unknown): boolean {
  const { kind, cannotSignIn, tooLate } = answer as Partial<Record<string, unknown>>;
  return kind === 'unknown' || (kind === 'unreachable' && cannotSignIn !== true && tooLate !== true);
}

/**
 * The sliding log of upstream calls, shared by all processes: the thin shell around the scripts.
 *
 *   reserve ──granted──> call is sent ──answered──> settle     counts until its answer + window
 *      │                      └──────no answer────> (lease)    counts until the end of its lease + window
 *      │                 call surely not sent ────> release    does not count
 *      └────refused───> the caller answers otherwise; this process does not ask again before the answer can change
 *
 * Redis decides and its clock is the only one; nothing is granted while it is away. After a reconnect the reservations of this
 * process are put back before the next question, since a Redis that lost its last second would otherwise grant them twice.
 */
import { randomUUID } from 'node:crypto';
import { monotonicMs as processMonotonicMs, type RedisClient } from '@app/platform';
import { readGoogleRefusal } from '../http/google-refusal';
import type { Lane } from '../policy/lane';
import type { CallKind, QuotaInstance } from '../policy/quota-definition';
import type { PolicyReply } from '../policy/quota-policy';
import type { Refusal } from '../policy/refusal';
import { checkOptions } from './check-options';
import { Gates } from './gates';
import { QuotaKeys } from './keys';
import { LiveReservations, type LiveReservation } from './live-reservations';
import { QuotaMetrics, type QuotaMetricsSnapshot } from './quota-metrics';
import { rulesOf, settleOptions, type QuotaOptions, type SettledQuotaOptions } from './quota-options';
import { combined, statusOf, type QuotaStatus, type SingleQuotaStatus } from './quota-status';
import { RedisWatch } from './redis-watch';
import { RefusalMemory } from './refusal-memory';
import type { Reservation, ReserveResult } from './reservation';
import { loadLedgerScripts, readReply, type LedgerScripts } from './scripts';
import { readUsage, type QuotaUsage } from './quota-usage';
import { StatusBoard } from './status-board';
import { UserChoice } from './user-choice';

/** Headers may be so old: a process that answers thousands of requests a second asks four times. */
const STATUS_MAX_AGE_MS = 250;

/** What a test replaces: the clock of the scripts, and that of the process. */
export interface LedgerClocks {
  readonly luaIncludes?: Readonly<Record<string, string>>;
  readonly monotonicMs?: () => number;
}

/** An upstream's refusal, as far as its answer says which quota it was. */
export interface UpstreamRefusal {
  /** The call that was refused. */
  readonly kind: CallKind;
  /** The upstream's own name for the quota. Absent or unknown: the tightest of those that the call counts against. */
  readonly quotaName?: string;
  /** The limit that the upstream states for that name. */
  readonly limitValue?: number;
}

export class QuotaLedger {
  readonly options: SettledQuotaOptions;
  private readonly redis: RedisClient;
  private readonly scripts: LedgerScripts;
  private readonly gates: Gates;
  private readonly keys: QuotaKeys;
  private readonly monotonicMs: () => number;
  private readonly watch: RedisWatch;
  private readonly refusals: RefusalMemory;
  private readonly board: StatusBoard;
  private readonly live: LiveReservations;
  private readonly numbers: QuotaMetrics;
  private readonly choice = new UserChoice();
  private readonly rulesJson = new Map<string, string>();
  private readonly questions = new Map<string, readonly string[]>();
  private readonly reading = new Map<string, Promise<QuotaStatus>>();
  private restoring: Promise<void> | undefined;
  private mustRestore = false;
  private readonly onReady = (): void => void (this.mustRestore = true);

  constructor(options: QuotaOptions, clocks: LedgerClocks = {}) {
    this.options = settleOptions(options);
    checkOptions(this.options);
    this.redis = options.redis;
    this.scripts = loadLedgerScripts(clocks.luaIncludes);
    this.gates = new Gates(this.options.quotas, this.options.users);
    this.keys = new QuotaKeys(options.keyPrefix);
    this.monotonicMs = clocks.monotonicMs ?? processMonotonicMs;
    this.watch = new RedisWatch(this.options.redisAnswerMs, processMonotonicMs);
    this.refusals = new RefusalMemory(this.options.recheckMs, this.monotonicMs);
    this.board = new StatusBoard(this.monotonicMs);
    this.live = new LiveReservations(this.monotonicMs);
    this.numbers = new QuotaMetrics(this.monotonicMs, this.options.onModeChange);
    for (const definition of this.options.quotas)
      this.rulesJson.set(definition.id, JSON.stringify(rulesOf(this.options, definition)));
    this.redis.on('ready', this.onReady);
  }

  /**
   * Asks for a place in every quota that the call counts against. `enforce: false` counts the call without refusing it.
   * Of several users the one with most room is asked for first, and the next where only his own quota refuses.
   */
  async reserve(lane: Lane, kind: CallKind, { enforce = this.options.enforce } = {}): Promise<ReserveResult> {
    const ofUser = async (user: string): Promise<ReserveResult> => {
      const gates = this.gates.of({ ...kind, user });
      const ask = (): Promise<ReserveResult> => this.choice.whileAsking(user, () => this.askForPlace(lane, user, gates, enforce));
      const answer = enforce
        ? await this.refusals.consult(question(lane, gates), ask, (result) => (result.granted ? undefined : result))
        : await ask();
      return 'granted' in answer ? answer : { granted: false, ...answer };
    };
    const result = await this.firstWithRoom(kind, ofUser, (one) => (one.granted ? undefined : one.refusal));
    if (!result.granted) this.numbers.noteReservation(lane, result.refusal.reason);
    else this.numbers.noteReservation(lane, result.shadowRefusal ? 'would-refuse' : 'granted');
    return result;
  }

  /** Whether `reserve` would be refused, without taking a place. No round trip where the answer is known. */
  async peek(lane: Lane, kind: CallKind): Promise<Refusal | undefined> {
    if (!this.options.enforce) return undefined;
    const ofUser = async (user: string): Promise<Refusal | undefined> => {
      const gates = this.gates.of({ ...kind, user });
      const ask = async (): Promise<{ refusal?: Refusal; status: QuotaStatus }> => {
        const reply = await this.run('peek', gates, [lane]);
        return { refusal: this.refusalIn(reply, gates, lane), status: this.note(gates, reply) };
      };
      const refused = ({ refusal, status }: { refusal?: Refusal; status: QuotaStatus }) => refusal && { refusal, status };
      return (await this.refusals.consult(question(lane, gates), ask, refused)).refusal;
    };
    const refusal = await this.firstWithRoom(kind, ofUser, (one) => one);
    if (refusal) this.numbers.noteWaiting(lane, refusal);
    return refusal;
  }

  /**
   * Whether `reserve` would be refused now for every user of the application, by what this process remembers and so without
   * asking. True counts as a refused reservation. False says nothing: `reserve` finds out.
   */
  isKnownRefused(lane: Lane, access: CallKind['access']): boolean {
    if (!this.options.enforce) return false;
    let refusal: Refusal | undefined;
    for (const asked of this.questionsOf(lane, access)) {
      refusal = this.refusals.remembered(asked);
      if (refusal === undefined) return false;
    }
    if (refusal !== undefined) this.numbers.noteReservation(lane, refusal.reason);
    return refusal !== undefined;
  }

  /** What is asked for a call of any of the application's users. */
  private questionsOf(lane: Lane, access: CallKind['access']): readonly string[] {
    const name = `${lane} ${access}`;
    let questions = this.questions.get(name);
    if (questions === undefined) {
      const users = this.gates.usersFor({ access });
      questions = [...new Set(users.map((user) => question(lane, this.gates.of({ access, user }))))];
      this.questions.set(name, questions);
    }
    return questions;
  }

  /**
   * At most one round trip per `maxAgeMs`, shared by all who ask. Without `kind`: of every quota, for all users. A `kind` without
   * a user means the application's first.
   */
  async status(maxAgeMs = STATUS_MAX_AGE_MS, kind?: CallKind): Promise<QuotaStatus> {
    const gates = kind ? this.gates.of(kind) : this.gates.all();
    const ids = kind ? gates.map(({ quotaId }) => quotaId) : this.gates.allIds();
    const known = this.board.read(ids, maxAgeMs);
    if (known) return known;
    const key = ids.join(' ');
    let reading = this.reading.get(key);
    if (reading === undefined) {
      reading = this.run('readStatus', gates, [])
        .then((reply) => this.note(gates, reply))
        .finally(() => this.reading.delete(key));
      this.reading.set(key, reading);
    }
    return await reading;
  }

  /** What `status` would give without a round trip; undefined where it would make one. */
  freshStatus(): QuotaStatus | undefined {
    return this.board.read(this.gates.allIds(), STATUS_MAX_AGE_MS);
  }

  /** What was heard last, without a round trip. Undefined until something was. */
  lastStatus(): QuotaStatus | undefined {
    return this.board.all();
  }

  /** The upstream refused a call for its quota: closes that quota, learns its limit, and makes room for strangers. */
  async reportRefusal({ kind, quotaName, limitValue }: UpstreamRefusal): Promise<SingleQuotaStatus> {
    this.numbers.upstreamRefusals += 1;
    const gates = this.gates.of(kind);
    const namedGates = gates.filter(
      ({ definition }) => quotaName !== undefined && (definition.upstreamNames?.includes(quotaName) ?? true),
    );
    const gate = namedGates[0] ?? (await this.tightestOf(gates, kind));
    const stated = limitValue !== undefined && Number.isSafeInteger(limitValue) && limitValue > 0;
    const learnt = stated && (namedGates.length > 0 || quotaName === undefined) ? limitValue : 0;
    const reply = await this.run('reportRefusal', [gate], [learnt]);
    return this.note([gate], reply);
  }

  /** The same, from the body of a Google API's answer (a 429, or a 403 with a rate-limit reason). */
  async reportRefusedByUpstream(kind: CallKind, body?: unknown): Promise<SingleQuotaStatus> {
    return await this.reportRefusal({ kind, ...readGoogleRefusal(body) });
  }

  /**
   * Takes back what was learnt of a quota (its limit, foreign use, a closing) and its mode, which is decided anew. Its calls stay
   * counted.
   */
  async forgetLearnt(quotaId: string): Promise<SingleQuotaStatus> {
    const gate = this.gates.named(quotaId);
    const reply = await this.run('forgetLearnt', [gate], []);
    this.refusals.forget();
    return this.note([gate], reply);
  }

  /** The calls that count now, by lane, of every quota, for the users seen here. For operators: not decided by a script. */
  async usage(): Promise<QuotaUsage[]> {
    return await readUsage(this.redis, this.keys, this.gates.all());
  }

  metrics(): QuotaMetricsSnapshot {
    return this.numbers.snapshot(this.refusals.answered);
  }

  /** Forgets every call and everything learnt, of all quotas under this key prefix. */
  async reset(): Promise<void> {
    for await (const keys of this.redis.scanStream({ match: this.keys.pattern, count: 500 }) as AsyncIterable<string[]>)
      if (keys.length > 0) await this.redis.del(...keys);
    this.refusals.forget();
    this.board.clear();
  }

  /** Leaves the connection, which the application closes. */
  close(): void {
    this.redis.off('ready', this.onReady);
  }

  /** The answer for the user with most room, or for the first of the others that is not refused by a quota of his own. */
  private async firstWithRoom<T>(
    kind: CallKind,
    ask: (user: string) => Promise<T>,
    refusalOf: (answer: T) => Refusal | undefined,
  ): Promise<T> {
    const users = this.gates.usersFor(kind);
    const ordered = await this.choice.byRoom(users, async (user) => (await this.status(undefined, { ...kind, user })).all);
    let soonest: { answer: T; retryInMs: number } | undefined;
    for (const user of ordered) {
      const answer = await ask(user);
      const refusal = refusalOf(answer);
      if (refusal === undefined) return answer;
      if (soonest === undefined || refusal.retryInMs < soonest.retryInMs) soonest = { answer, retryInMs: refusal.retryInMs };
      if (this.gates.named(refusal.quotaId).definition.per === 'project') return answer;
    }
    // There is at least one user.
    return soonest!.answer;
  }

  private async askForPlace(lane: Lane, user: string, gates: readonly QuotaInstance[], enforce: boolean): Promise<ReserveResult> {
    const id = randomUUID();
    const { deadlineMs, leaseMs } = this.options;
    // From before the question: the lease begins when Redis decides, which is later.
    const sendByMs = this.monotonicMs() + leaseMs - deadlineMs;
    const unwanted = (): void => void this.run('release', gates, [lane, id]).catch(() => undefined);
    const reply = await this.run('reserve', gates, [lane, id, enforce ? '1' : '0'], unwanted);
    const refusal = this.refusalIn(reply, gates, lane);
    const status = this.note(gates, reply);
    if (refusal && enforce) {
      this.numbers.noteWaiting(lane, refusal);
      return { granted: false, refusal, status };
    }
    this.numbers.noteGranted(lane, reply.nowMs);
    const longestWindowMs = Math.max(...gates.map(({ definition }) => definition.windowMs));
    const forgottenAtMs = this.monotonicMs() + leaseMs + longestWindowMs;
    const live = { id, lane, user, gates, leaseEndMs: reply.nowMs + leaseMs, forgottenAtMs };
    this.live.add(live);
    return { granted: true, reservation: this.reservationOf(live, sendByMs), status, ...(refusal && { shadowRefusal: refusal }) };
  }

  private reservationOf({ id, lane, user, gates }: LiveReservation, sendByMs: number): Reservation {
    let ended = false;
    const end = async (command: 'settle' | 'release'): Promise<void> => {
      if (ended) return;
      ended = true;
      try {
        this.note(gates, await this.run(command, gates, [lane, id]));
        this.live.remove(id);
        this.numbers[command === 'settle' ? 'settled' : 'released'] += 1;
        if (command === 'release') this.refusals.forget();
      } catch {
        // The lease goes on counting, and stays among the live ones should Redis have lost it.
      }
    };
    return { id, lane, user, sendByMs, settle: () => end('settle'), release: () => end('release') };
  }

  private async run(
    command: keyof LedgerScripts,
    gates: readonly QuotaInstance[],
    args: readonly (string | number)[],
    late?: () => void,
  ): Promise<PolicyReply> {
    while (this.mustRestore || this.restoring)
      await (this.restoring ??= this.restore().finally(() => (this.restoring = undefined)));
    return readReply(await this.watch.ask(() => this.send(command, gates, args), late));
  }

  private send(command: keyof LedgerScripts, gates: readonly QuotaInstance[], args: readonly (string | number)[]) {
    const keys = gates.flatMap(({ quotaId }) => this.keys.of(quotaId));
    const rules = gates.map(({ definition }) => this.rulesJson.get(definition.id) as string);
    return this.scripts[command].run(this.redis, keys, [...args, ...rules]);
  }

  private async restore(): Promise<void> {
    this.mustRestore = false;
    const put = ({ id, lane, gates, leaseEndMs }: LiveReservation) => this.send('restore', gates, [lane, id, leaseEndMs]);
    try {
      await this.watch.ask(() => Promise.all(this.live.all().map(put)));
    } catch (error) {
      this.mustRestore = true;
      throw error;
    }
  }

  private note(gates: readonly QuotaInstance[], reply: PolicyReply): QuotaStatus {
    const statuses = gates.map((gate, place) => statusOf(gate, reply.quotas[place], reply.nowMs));
    this.board.note(statuses);
    this.numbers.noteStatuses(statuses);
    return combined(statuses);
  }

  private refusalIn({ refusal, quotas, nowMs }: PolicyReply, gates: readonly QuotaInstance[], lane: Lane): Refusal | undefined {
    if (refusal === undefined) return undefined;
    const { quota, reason, retryAtMs } = refusal;
    const { consumed, limit, mode } = quotas[quota];
    const retryInMs = Math.max(1, retryAtMs - nowMs);
    return { quotaId: gates[quota].quotaId, lane, reason, retryAtMs, retryInMs, consumed, limit, mode };
  }

  private async tightestOf(gates: readonly QuotaInstance[], kind: CallKind): Promise<QuotaInstance> {
    if (gates.length === 1) return gates[0];
    const { quotaId } = await this.status(0, kind);
    return gates.find((gate) => gate.quotaId === quotaId) ?? gates[0];
  }
}

function question(lane: Lane, gates: readonly QuotaInstance[]): string {
  return [lane, ...gates.map(({ quotaId }) => quotaId)].join(' ');
}

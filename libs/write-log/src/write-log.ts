/**
 * The numbered log of accepted writes of each spreadsheet: `appliedThrough` <= `sendingThrough` <= `tail`.
 *
 * A write gets its number, its receipt and its place in every later read in one script. From then on it moves
 * accepted -> sending -> applied, by way of `unknown` where an attempt's outcome is not known, or to `failed` or `cancelled`.
 * Everything of one spreadsheet lies in one slot of a cluster; nothing here spans two spreadsheets.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ACCEPTS_STOP_RATIO, isRedisFull, loadLuaScript, type RedisClient } from '@app/platform';
import { backlogKey, failuresKey, SpreadsheetKeys } from './keys';
import { listReceipts, readReceipt, type ReceiptPage } from './receipts';
import type { FrozenBatch } from './frozen-batch';
import { noteWaiting, readWaiting, type Waiting } from './waiting';
import {
  isRowsOperation,
  STRUCTURE_SHEET,
  type Landed,
  type LandedUnknown,
  type LoggedWrite,
  type Reason,
  type Receipt,
  type RowShift,
  type WriteOperation,
} from './write';

const LUA = join(__dirname, 'lua');
const scripts = {
  accept: loadLuaScript(LUA, 'accept-write'),
  drainState: loadLuaScript(LUA, 'read-drain-state'),
  pending: loadLuaScript(LUA, 'read-pending'),
  freeze: loadLuaScript(LUA, 'freeze-batch'),
  thaw: loadLuaScript(LUA, 'thaw-batch'),
  settle: loadLuaScript(LUA, 'settle-through'),
  setAside: loadLuaScript(LUA, 'set-aside'),
  leaveBacklog: loadLuaScript(LUA, 'leave-backlog'),
  raiseBatchNumber: loadLuaScript(LUA, 'raise-batch-number'),
  release: loadLuaScript(LUA, 'release-write'),
  beginEpoch: loadLuaScript(LUA, 'begin-epoch'),
  setPace: loadLuaScript(LUA, 'set-pace'),
  workbookCells: loadLuaScript(LUA, 'read-workbook-cells'),
};

/** Entries read at once: twice what one batch can carry. Without it a backlog of large writes would fill Redis's and our memory. */
const PENDING_BYTES_MAX = 4_000_000;

/** Failed writes that operators find in one list. The receipts of a spreadsheet name all of them. */
const FAILURES_REGISTERED_MAX = 1_000;

/** How long a final receipt can be asked for, and an Idempotency-Key is remembered. */
const KEPT_S = 24 * 60 * 60;

/** Ids come from outside, so the number of remembered ones is bounded. */
const SPREADSHEETS_REMEMBERED_MAX = 10_000;

/** Replies longer than this are not kept beside the receipt: they would fill Redis with copies of sheets. */
const REPLY_CHARACTERS_MAX = 100_000;

export interface WriteRequest {
  readonly sheetId: number;
  readonly sheetTitle: string;
  readonly operation: WriteOperation;
  readonly idempotency?: { readonly key: string; readonly bodyDigest: string };
}

export type AcceptResult =
  | { readonly kind: 'accepted'; readonly number: number; readonly id: string; readonly becomesNearlyFull: boolean }
  | { readonly kind: 'repeated'; readonly number: number; readonly id: string }
  | NoRoom
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'key-taken'; readonly key: string };

/** Source: "Google Sheets: files you can store", 10 million cells a spreadsheet. */
export const WORKBOOK_CELLS_MAX = 10_000_000;
/** From here on operators are told: early enough to move old rows elsewhere. */
export const WORKBOOK_NEARLY_FULL_RATIO = 0.8;

/** Why an append does not fit: cells that the workbook will have without it, and that it needs. */
export interface WorkbookRoom {
  readonly cells: number;
  readonly needed: number;
  readonly cellsMax: number;
}

/** Redis is so full that nothing may be accepted: what is left is for the drain. */
export interface RedisRoom {
  readonly usedBytes: number;
  readonly maxBytes: number;
}

export type NoRoom = ({ readonly kind: 'workbook-full' } & WorkbookRoom) | ({ readonly kind: 'redis-full' } & RedisRoom);

/** Cells of all tabs as last seen, with what the accepted appends will add. */
export interface WorkbookFill {
  readonly cells: number;
  readonly cellsMax: number;
  readonly ratio: number;
}

export interface WriteLogOptions {
  readonly workbookCellsMax: number;
}

const DEFAULTS: WriteLogOptions = { workbookCellsMax: WORKBOOK_CELLS_MAX };

export interface DrainState {
  readonly tail: number;
  readonly appliedThrough: number;
  readonly batchNumber: number;
  /** Tells apart two logs of one spreadsheet: the second began after Redis had lost the first. */
  readonly epoch: string;
  readonly frozen?: FrozenBatch;
  readonly paceMs: number;
  /** Since the outcome of an attempt was last unknown: it may arrive late for a while. */
  readonly sinceUnknownMs: number;
}

export class WriteLog {
  private readonly options: WriteLogOptions;
  /** A digest for every request would cost more than the rest of a read from memory. */
  private readonly keys = new Map<string, SpreadsheetKeys>();

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    options: Partial<WriteLogOptions> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
  }

  keysOf(spreadsheetId: string): SpreadsheetKeys {
    const known = this.keys.get(spreadsheetId);
    if (known !== undefined) return known;
    const keys = SpreadsheetKeys.of(this.prefix, spreadsheetId);
    if (this.keys.size >= SPREADSHEETS_REMEMBERED_MAX) this.keys.clear();
    this.keys.set(spreadsheetId, keys);
    return keys;
  }

  /** Accepts a write: durable as far as Redis is, visible to every later read. */
  async accept(spreadsheetId: string, request: WriteRequest): Promise<AcceptResult> {
    const keys = this.keysOf(spreadsheetId);
    const { operation } = request;
    const { workbookCellsMax: cellsMax } = this.options;
    // Before the accept, so that a sweeper cannot miss the write whatever happens to this process.
    await this.redis.zadd(backlogKey(this.prefix), Date.now(), keys.tag);
    const reply = (await scripts.accept.run(
      this.redis,
      [keys.base],
      [
        keys.tag,
        spreadsheetId,
        randomBytes(4).toString('hex'),
        request.sheetId,
        request.sheetTitle,
        operation.kind,
        JSON.stringify({ sheetId: request.sheetId, sheetTitle: request.sheetTitle, operation }),
        JSON.stringify(keysOfOperation(operation)),
        request.idempotency?.key ?? '',
        request.idempotency?.bodyDigest ?? '',
        KEPT_S,
        cellsMax,
        Math.ceil(cellsMax * WORKBOOK_NEARLY_FULL_RATIO),
        ACCEPTS_STOP_RATIO,
      ],
    )) as [string, (number | string)?, (number | string)?, number?];
    switch (reply[0]) {
      case 'accepted':
        return { kind: 'accepted', number: Number(reply[1]), id: String(reply[2]), becomesNearlyFull: reply[3] === 1 };
      case 'repeated':
        return { kind: 'repeated', number: Number(reply[1]), id: String(reply[2]) };
      case 'workbook-full':
      case 'redis-full':
        return this.noRoom(reply[0], Number(reply[1]), Number(reply[2]));
      case 'key-taken':
        return { kind: 'key-taken', key: String(reply[1]) };
      default:
        return { kind: 'key-reused' };
    }
  }

  /** The write that was accepted under this Idempotency-Key, if any. */
  async findRepeated(spreadsheetId: string, idempotencyKey: string): Promise<{ id: string; bodyDigest: string } | undefined> {
    const known = await this.redis.get(this.keysOf(spreadsheetId).idempotency(idempotencyKey));
    const parts = /^\d+:([^:]+):(.*)$/.exec(known ?? '');
    return parts === null ? undefined : { id: parts[1], bodyDigest: parts[2] };
  }

  async drainState(keys: SpreadsheetKeys): Promise<DrainState> {
    const reply = (await scripts.drainState.run(this.redis, [keys.base], [])) as [
      number,
      number,
      number,
      string,
      string,
      number,
      number,
    ];
    const [tail, appliedThrough, batchNumber, epoch, frozen, paceMs, sinceUnknownMs] = reply;
    return {
      tail,
      appliedThrough,
      batchNumber,
      epoch,
      paceMs,
      sinceUnknownMs: sinceUnknownMs < 0 ? Infinity : sinceUnknownMs,
      ...(frozen === '' ? {} : { frozen: JSON.parse(frozen) as FrozenBatch }),
    };
  }

  /** The writes numbered `first` and on, at most `count` numbers and a few megabytes; those that were set aside are left out. */
  async pending(keys: SpreadsheetKeys, first: number, count: number): Promise<{ writes: LoggedWrite[]; last: number }> {
    const reply = (await scripts.pending.run(this.redis, [keys.base], [first, count, PENDING_BYTES_MAX])) as (number | string)[];
    const writes: LoggedWrite[] = [];
    let last = first - 1;
    for (let at = 0; at < reply.length; at += 2) {
      last = Number(reply[at]);
      if (reply[at + 1] !== '')
        writes.push({ number: last, ...(JSON.parse(String(reply[at + 1])) as Omit<LoggedWrite, 'number'>) });
    }
    return { writes, last };
  }

  /** @returns false where the writer lease has gone to somebody else, or a write was cancelled meanwhile: then nothing may be sent. */
  async freeze(keys: SpreadsheetKeys, leaseToken: string, leaseMs: number, batch: FrozenBatch): Promise<boolean> {
    const state = batch.undecidedSinceMs === undefined ? 'sending' : 'unknown';
    const args = [leaseToken, leaseMs, JSON.stringify(batch), batch.last, JSON.stringify(batch.numbers), state];
    return (await scripts.freeze.run(this.redis, [keys.base], args)) === 1;
  }

  /** @returns false where another batch is frozen, or another writer has sent this one again since: then nothing is taken back. */
  async thaw(keys: SpreadsheetKeys, batch: FrozenBatch, { numberUsed }: { numberUsed: boolean }): Promise<boolean> {
    const args = [batch.id, JSON.stringify(batch.numbers), numberUsed ? '1' : '0', batch.attempts];
    return (await scripts.thaw.run(this.redis, [keys.base], args)) === 1;
  }

  /** @param landed where each write came to lie, by its number; nothing is known of the others */
  async settle(
    keys: SpreadsheetKeys,
    batch: FrozenBatch,
    landed: ReadonlyMap<number, Landed | LandedUnknown> = new Map(),
  ): Promise<void> {
    const texts = [...landed].map(([number, where]) => [number, typeof where === 'string' ? where : JSON.stringify(where)]);
    await scripts.settle.run(
      this.redis,
      [keys.base],
      [batch.last, batch.number, batch.id, JSON.stringify(batch.numbers), KEPT_S, JSON.stringify(Object.fromEntries(texts))],
    );
  }

  /** Moves the mark without a batch: over numbers that were set aside, and over `numbers`, which cancel each other out. */
  async settleUnsent(keys: SpreadsheetKeys, last: number, numbers: readonly number[]): Promise<void> {
    const landed = Object.fromEntries(numbers.map((number) => [number, 'not-sent' satisfies LandedUnknown]));
    const args = [last, 0, '', JSON.stringify(numbers), KEPT_S, JSON.stringify(landed)];
    await scripts.settle.run(this.redis, [keys.base], args);
  }

  /** @returns how many were set aside now; those that were before, or are applied, do not count. */
  async setAside(
    keys: SpreadsheetKeys,
    state: 'failed' | 'cancelled',
    verdicts: readonly ({ number: number } & Reason)[],
    { unlessFrozen = false } = {},
  ): Promise<number> {
    if (verdicts.length === 0) return 0;
    // Before the verdict, so that none is missed; one that does not stand is left out by who reads.
    if (state === 'failed') {
      await this.registerFailures(keys, verdicts).catch((error: unknown) => {
        // A verdict makes room where Redis is full, and must not wait for a list that only operators read.
        if (!isRedisFull(error)) throw error;
      });
    }
    const args = [state, JSON.stringify(verdicts), randomBytes(4).toString('hex'), KEPT_S, unlessFrozen ? '1' : '0'];
    return Number(await scripts.setAside.run(this.redis, [keys.base], args));
  }

  private async registerFailures(keys: SpreadsheetKeys, verdicts: readonly { number: number }[]): Promise<void> {
    const key = failuresKey(this.prefix);
    await this.redis.zadd(key, ...verdicts.flatMap(({ number }) => [Date.now(), `${keys.tag}:${number}`]));
    await this.redis.zremrangebyscore(key, '-inf', Date.now() - KEPT_S * 1_000);
    await this.redis.zremrangebyrank(key, 0, -FAILURES_REGISTERED_MAX - 1);
  }

  /** Cancels a pending write. @returns false where it is being sent, or settled. */
  async cancel(receipt: Pick<Receipt, 'number' | 'spreadsheetId'>): Promise<boolean> {
    const verdict = { number: receipt.number, code: 'cancelled', message: 'cancelled by an operator or its client' };
    return (await this.setAside(this.keysOf(receipt.spreadsheetId), 'cancelled', [verdict], { unlessFrozen: true })) === 1;
  }

  /** Puts a write that was set aside at the end of the log, as a new write. Doing it twice gives the same one. */
  async release(
    receipt: Pick<Receipt, 'number' | 'spreadsheetId'>,
  ): Promise<{ kind: 'released'; id: string } | NoRoom | { kind: 'not-failed' }> {
    const keys = this.keysOf(receipt.spreadsheetId);
    await this.redis.zadd(backlogKey(this.prefix), Date.now(), keys.tag);
    const { workbookCellsMax: cellsMax } = this.options;
    const args = [receipt.number, keys.tag, randomBytes(4).toString('hex'), cellsMax, ACCEPTS_STOP_RATIO];
    const reply = (await scripts.release.run(this.redis, [keys.base], args)) as [string, number | string, (string | number)?];
    const [kind, second, third] = reply;
    if (kind === 'released') {
      await this.redis.zrem(failuresKey(this.prefix), `${keys.tag}:${receipt.number}`);
      return { kind, id: String(third) };
    }
    if (kind === 'released-before') return { kind: 'released', id: String(second) };
    return kind === 'workbook-full' || kind === 'redis-full'
      ? this.noRoom(kind, Number(second), Number(third))
      : { kind: 'not-failed' };
  }

  private noRoom(kind: NoRoom['kind'], first: number, second: number): NoRoom {
    return kind === 'redis-full'
      ? { kind, usedBytes: first, maxBytes: second }
      : { kind, cells: first, needed: second, cellsMax: this.options.workbookCellsMax };
  }

  /** How full the workbook is, or undefined where nobody has looked at it yet. */
  async workbookFill(spreadsheetId: string): Promise<WorkbookFill | undefined> {
    const { workbookCellsMax: cellsMax } = this.options;
    const cells = Number(await scripts.workbookCells.run(this.redis, [this.keysOf(spreadsheetId).base], []));
    return cells === 0 ? undefined : { cells, cellsMax, ratio: cells / cellsMax };
  }

  async receipts(spreadsheetId: string, filter: Parameters<typeof listReceipts>[2]): Promise<ReceiptPage> {
    return await listReceipts(this.redis, this.keysOf(spreadsheetId), filter);
  }

  /**
   * The spreadsheet shows fewer batches than it did, and not for a moment: somebody restored an older version of it.
   * @returns the new epoch, or undefined while a batch is in doubt.
   */
  async beginEpoch(keys: SpreadsheetKeys, highestBatchNumber: number): Promise<string | undefined> {
    const epoch = randomBytes(4).toString('hex');
    return (await scripts.beginEpoch.run(this.redis, [keys.base], [epoch, highestBatchNumber])) === 1 ? epoch : undefined;
  }

  /** The upstream has refused the spreadsheet as a whole: its writes wait, and their receipts say why, until a batch is applied. */
  async noteWaiting(keys: SpreadsheetKeys, reason: Reason): Promise<void> {
    await noteWaiting(this.redis, keys, reason);
  }

  async waiting(keys: SpreadsheetKeys): Promise<Waiting | undefined> {
    return await readWaiting(this.redis, keys);
  }

  async raiseBatchNumber(keys: SpreadsheetKeys, highest: number): Promise<void> {
    await scripts.raiseBatchNumber.run(this.redis, [keys.base], [highest]);
  }

  /** Of these sheets, those with settled writes in the log that their snapshots lack: a fetch trims them. */
  async untrimmed(keys: SpreadsheetKeys, sheetIds: readonly number[]): Promise<number[]> {
    const appliedThrough = (await this.redis.hget(keys.marks, 'appliedThrough')) ?? '0';
    const counts = await Promise.all(
      sheetIds.map((sheetId) => this.redis.zcount(keys.sheetLog(sheetId), '-inf', appliedThrough)),
    );
    return sheetIds.filter((_, at) => counts[at] > 0);
  }

  /** Holds back the next drain call of this spreadsheet. */
  async setPace(keys: SpreadsheetKeys, durationMs: number): Promise<void> {
    await scripts.setPace.run(this.redis, [keys.base], [durationMs]);
  }

  async receipt(id: string): Promise<Receipt | undefined> {
    const parts = /^([0-9a-f]{16})-(\d{1,15})-[0-9a-f]{8}$/.exec(id);
    if (parts === null) return undefined;
    const keys = SpreadsheetKeys.fromTag(this.prefix, parts[1]);
    const [fields, spreadsheetId, waiting] = await Promise.all([
      this.redis.hgetall(keys.receipt(Number(parts[2]))),
      this.redis.hget(keys.marks, 'spreadsheetId'),
      readWaiting(this.redis, keys),
    ]);
    // The suffix differs where Redis lost this write and gave its number to another.
    return fields.id === id ? readReceipt(Number(parts[2]), spreadsheetId ?? '', fields, waiting) : undefined;
  }

  /** The spreadsheets that had a write accepted and may still have some pending. */
  async backlog(): Promise<{ spreadsheetId: string; keys: SpreadsheetKeys; lastAcceptMs: number }[]> {
    const found = await this.redis.zrange(backlogKey(this.prefix), '0', '-1', 'WITHSCORES');
    const entries = [];
    for (let at = 0; at < found.length; at += 2) {
      const keys = SpreadsheetKeys.fromTag(this.prefix, found[at]);
      const spreadsheetId = await this.redis.hget(keys.marks, 'spreadsheetId');
      if (spreadsheetId !== null) entries.push({ spreadsheetId, keys, lastAcceptMs: Number(found[at + 1]) });
    }
    return entries;
  }

  /** Does nothing where a write was accepted since `lastAcceptMs`. */
  async leaveBacklog(keys: SpreadsheetKeys, lastAcceptMs: number): Promise<void> {
    await scripts.leaveBacklog.run(this.redis, [backlogKey(this.prefix)], [keys.tag, lastAcceptMs]);
  }

  /** Takes a settled change of structure out of the log: no snapshot of a sheet will. */
  async dropEntry(keys: SpreadsheetKeys, number: number): Promise<void> {
    await Promise.all([
      this.redis.hdel(keys.log, String(number)),
      this.redis.zrem(`${keys.base}sheet:${STRUCTURE_SHEET}:log`, number),
    ]);
  }

  /** What the client was, or is to be, told of a write beside its receipt; too long a text is not kept. */
  async keepReply(keys: SpreadsheetKeys, number: number, reply: string): Promise<void> {
    if (reply.length <= REPLY_CHARACTERS_MAX) await this.redis.hset(keys.receipt(number), 'reply', reply);
  }

  async reply(keys: SpreadsheetKeys, number: number): Promise<string | undefined> {
    return (await this.redis.hget(keys.receipt(number), 'reply')) ?? undefined;
  }

  /** Appends that went further down than their clients were told, and up to which write that matters. */
  async rowShifts(keys: SpreadsheetKeys): Promise<readonly RowShift[]> {
    const text = await this.redis.hget(keys.marks, 'rowShifts');
    return text === null ? [] : (JSON.parse(text) as RowShift[]);
  }

  async keepRowShifts(keys: SpreadsheetKeys, shifts: readonly RowShift[]): Promise<void> {
    await this.redis.hset(keys.marks, 'rowShifts', JSON.stringify(shifts));
  }

  /** The write id of a number, for those who know only the number. */
  async idOf(keys: SpreadsheetKeys, number: number): Promise<string | undefined> {
    return (await this.redis.hget(keys.receipt(number), 'id')) ?? undefined;
  }
}

export function keysOfOperation(operation: WriteOperation): string[] {
  if (!isRowsOperation(operation)) return [];
  return operation.kind === 'append' ? operation.rows.map((row) => row.key) : [operation.key];
}

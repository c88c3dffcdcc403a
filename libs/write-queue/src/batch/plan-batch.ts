/** Turns consecutive log entries into one batch, as many as fit. Pure: handed the entries and the grids, it asks nobody. */
import { commitEntryValue, commitEntryRequest, type FrozenBatch, type RowsWrite, type Reason } from '@app/write-log';
import type { BatchLimits } from './limits';
import { SheetPlan, type PlannedGrid, type PlannedRequest } from './sheet-plan';

export interface BatchInput {
  readonly writes: readonly RowsWrite[];
  /** The first number that is not applied yet, and the last that was looked at. */
  readonly first: number;
  readonly last: number;
  /** The sheets as the upstream has them, by id; a sheet that is not here is gone. */
  readonly grids: ReadonlyMap<number, PlannedGrid>;
  readonly keyColumnName: string;
  readonly batchNumber: number;
  readonly batchId: string;
  readonly epoch: string;
  readonly limits: BatchLimits;
  /** The upstream would not show what it was asked to show: write without asking. */
  readonly withoutAnswer?: boolean;
}

export interface BatchPlan {
  /** Writes that cannot be carried out as things stand. */
  readonly setAside: readonly ({ number: number } & Reason)[];
  /** Absent: there is nothing to send for these numbers. */
  readonly batch?: FrozenBatch;
  readonly last: number;
}

export function planBatch(input: BatchInput): BatchPlan {
  const { limits } = input;
  const plans = new Map<number, SheetPlan>();
  const setAside: ({ number: number } & Reason)[] = [];
  const numbers: number[] = [];
  const leftOut: number[] = [];
  const entry = { epoch: input.epoch, batchId: input.batchId, first: input.first, leftOut };
  const total = { rows: 0, cells: 0, bytes: 0 };
  let next = input.first;
  let last = input.last;

  for (const write of input.writes) {
    const size = sizeOf(write);
    const full =
      total.rows + size.rows > limits.rowsMax ||
      total.cells + size.cells > limits.cellsMax ||
      total.bytes + size.bytes > limits.bytesMax;
    // The commit entry names the numbers left out; while they still fit, one more write may follow.
    const gap = Array.from({ length: write.number - next }, (_, at) => next + at);
    const said = { ...entry, leftOut: [...leftOut, ...gap], last: write.number + LEFT_OUT_MARGIN };
    const unsaid = numbers.length > 0 && commitEntryValue(said) === undefined;
    if (unsaid || (numbers.length > 0 && full)) {
      last = write.number - 1;
      break;
    }
    leftOut.push(...gap);
    next = write.number + 1;
    const plan = planFor(plans, input, write);
    const reason = plan === undefined ? SHEET_GONE : plan.add(write);
    if (reason !== undefined) {
      setAside.push({ number: write.number, ...reason });
      leftOut.push(write.number);
    } else {
      numbers.push(write.number);
      total.rows += size.rows;
      total.cells += size.cells;
      total.bytes += size.bytes;
    }
  }
  if (numbers.length === 0) return { setAside, last };
  // What follows the last write that is carried needs no mention: it is not in the log any more.
  last = Math.max(numbers[numbers.length - 1], Math.min(last, next - 1));

  const requests = [...plans.values()].flatMap((plan) => plan.requests());
  const sent = leftOut.filter((number) => number < numbers[numbers.length - 1]);
  const value = commitEntryValue({ ...entry, last, leftOut: sent });
  if (value === undefined) {
    // Too many were left out before the first one that is carried: settle those first, by themselves.
    return { setAside, last: numbers[0] - 1 };
  }
  const commit: PlannedRequest = { request: commitEntryRequest(input.batchNumber, value), numbers: [] };
  const all = [commit, ...requests];
  // A sheet whose writes cancel each other out has nothing to show.
  const shown = [...plans.values()].filter((plan) => plan.requests().length > 0);
  const asked: readonly SheetPlan[] = input.withoutAnswer === true ? [] : shown;
  const keyChecks = asked.flatMap((plan) => plan.keyChecks());
  return {
    setAside,
    last,
    batch: {
      number: input.batchNumber,
      id: input.batchId,
      first: input.first,
      last,
      numbers,
      body: {
        requests: all.map(({ request }) => request),
        ...(asked.length === 0
          ? {}
          : {
              includeSpreadsheetInResponse: true,
              responseIncludeGridData: true,
              responseRanges: asked.flatMap((plan) => plan.responseRanges()),
            }),
      },
      numbersByRequest: all.map((planned) => planned.numbers),
      ...(keyChecks.length === 0 ? {} : { keyChecks }),
      columnChecks: asked.flatMap((plan) => plan.columnChecks()),
      landings: shown.map((plan) => plan.landing()),
      attempts: 0,
    },
  };
}

/** Room in a commit entry's value for the digits of the last number to grow. */
const LEFT_OUT_MARGIN = 10_000;

const SHEET_GONE: Reason = { code: 'sheet-gone', message: 'the tab of this write is not there any more' };

function planFor(plans: Map<number, SheetPlan>, input: BatchInput, { sheetId }: RowsWrite): SheetPlan | undefined {
  const grid = input.grids.get(sheetId);
  if (grid === undefined) return undefined;
  const plan = plans.get(sheetId) ?? new SheetPlan(grid, input.keyColumnName);
  plans.set(sheetId, plan);
  return plan;
}

/** JSON around a request and around a cell, at most. In a patch each cell may need a request of its own, if its neighbours stay. */
const REQUEST_BYTES = 200;
const CELL_BYTES = 45;
const PATCHED_CELL_BYTES = CELL_BYTES + REQUEST_BYTES;

function sizeOf({ operation }: RowsWrite): { rows: number; cells: number; bytes: number } {
  const rows =
    operation.kind === 'append' ? operation.rows.map((row) => row.values) : operation.kind === 'patch' ? [operation.set] : [{}];
  const cells = rows.reduce((sum, values) => sum + Object.keys(values).length, 0);
  const cellBytes = operation.kind === 'patch' ? PATCHED_CELL_BYTES : CELL_BYTES;
  const bytes = rows.reduce(
    (sum, values) => sum + REQUEST_BYTES + Buffer.byteLength(JSON.stringify(values)) + cellBytes * Object.keys(values).length,
    0,
  );
  return { rows: rows.length, cells, bytes };
}

/**
 * A batch of writes that name positions themselves. They are sent as they are, in their order, with two exceptions: an append whose
 * rows a person has taken meanwhile goes below them, and what was written to those rows after that goes with it. Changes of structure
 * go alone, since the view has to be fetched anew after them. Pure, like plan-batch.ts.
 */
import { TrialSheet, type SnapshotContent } from '@app/sheet-view';
import {
  commitEntryRequest,
  commitEntryValue,
  type CellsArea,
  type CellsOperation,
  type LoggedWrite,
  type RowShift,
  type StructureOperation,
} from '@app/write-log';
import type { BatchPlan } from './plan-batch';
import type { BatchLimits } from './limits';

type Request = Readonly<Record<string, unknown>>;
type PositionedWrite = LoggedWrite<CellsOperation | StructureOperation>;

export interface CellsInput {
  readonly writes: readonly PositionedWrite[];
  readonly first: number;
  /** The sheets that something is appended to, as the upstream has them, by id. */
  readonly grids: ReadonlyMap<number, SnapshotContent>;
  readonly shifts: readonly RowShift[];
  readonly batchNumber: number;
  readonly batchId: string;
  readonly epoch: string;
  readonly limits: BatchLimits;
}

export interface CellsPlan extends BatchPlan {
  /** Those of the last batches, and of this one. */
  readonly shifts: readonly RowShift[];
}

/** What is still shown where it was told is in one of the last batches: a snapshot newer than it ends that. */
const SHIFTS_KEPT_MAX = 200;

/** The writes at the head of the log that go by positions, as far as they may share a batch. */
export function leadingPositioned(writes: readonly LoggedWrite[]): PositionedWrite[] {
  const end = writes.findIndex(({ operation }) => operation.kind !== 'cells');
  if (end === 0) return writes[0].operation.kind === 'structure' ? [writes[0] as PositionedWrite] : [];
  return (end < 0 ? writes : writes.slice(0, end)) as PositionedWrite[];
}

export function appendsCells({ operation }: LoggedWrite): boolean {
  return operation.kind === 'cells' && operation.appends !== undefined;
}

export function planCells(input: CellsInput): CellsPlan {
  const shifts = input.shifts.slice(-SHIFTS_KEPT_MAX);
  const sheets = new Map<number, TrialSheet>();
  const planned: { readonly request: Request; readonly numbers: readonly number[] }[] = [];
  const numbers: number[] = [];
  const leftOut: number[] = [];
  const setAside: BatchPlan['setAside'][number][] = [];
  let bytes = 0;
  let next = input.first;
  let last = input.first - 1;

  for (const write of input.writes) {
    const { number, sheetId, operation } = write;
    const size = Buffer.byteLength(JSON.stringify(operation.requests));
    const isFull = bytes + size > input.limits.bytesMax || planned.length + operation.requests.length > input.limits.rowsMax;
    const gap = Array.from({ length: number - next }, (_, at) => next + at);
    const said = { epoch: input.epoch, batchId: input.batchId, first: input.first, last: number, leftOut: [...leftOut, ...gap] };
    if (numbers.length > 0 && (isFull || commitEntryValue(said) === undefined)) break;
    leftOut.push(...gap);
    next = number + 1;
    last = number;
    const requests = operation.kind === 'structure' ? operation.requests : placed(write, operation, sheets, shifts, input);
    if (requests === undefined) {
      setAside.push({ number, code: 'sheet-gone', message: `the tab with id ${sheetId} is not there any more` });
      leftOut.push(number);
      continue;
    }
    numbers.push(number);
    bytes += size;
    for (const request of requests) planned.push({ request, numbers: [number] });
  }
  if (numbers.length === 0) return { setAside, last, shifts };
  const value = commitEntryValue({ epoch: input.epoch, batchId: input.batchId, first: input.first, last, leftOut });
  if (value === undefined) return { setAside, last: numbers[0] - 1, shifts };
  const all = [{ request: commitEntryRequest(input.batchNumber, value), numbers: [] as readonly number[] }, ...planned];
  return {
    setAside,
    last,
    shifts,
    batch: {
      number: input.batchNumber,
      id: input.batchId,
      first: input.first,
      last,
      numbers,
      body: { requests: all.map(({ request }) => request) },
      numbersByRequest: all.map((one) => one.numbers),
      ...(input.writes[0].operation.kind === 'structure' ? { wantsReplies: true as const } : {}),
      attempts: 0,
    },
  };
}

/** The requests at the rows where they belong now; undefined where the sheet that they append to is gone. */
function placed(
  { number, sheetId }: LoggedWrite,
  { requests, appends, seenThrough }: CellsOperation,
  sheets: Map<number, TrialSheet>,
  shifts: RowShift[],
  { grids }: CellsInput,
): readonly Request[] | undefined {
  const known = shifts.filter((shift) => shift.sheetId === sheetId && shift.number < number && shift.number > seenThrough);
  const grid = grids.get(sheetId);
  const sheet = sheets.get(sheetId) ?? (grid && new TrialSheet(grid));
  if (sheet !== undefined) sheets.set(sheetId, sheet);
  if (appends === undefined) {
    const moved = requests.map((request) => shifted(request, known));
    sheet?.apply({ requests: moved });
    return moved;
  }
  if (sheet === undefined) return undefined;
  const { startRow, endRow } = appends;
  let by = known.reduce((most, shift) => (shift.endRow <= startRow ? Math.max(most, shift.by) : most), 0);
  while (!sheet.isFree(below(appends, by))) by += 1;
  // Planned before and not sent: what holds is where it goes now.
  const before = shifts.findIndex((shift) => shift.number === number);
  if (before >= 0) shifts.splice(before, 1);
  if (by > 0) shifts.push({ sheetId, startRow, endRow, by, number });
  const area = below(appends, by);
  const moved = requests.map((request) => shifted(request, [{ sheetId, startRow, endRow, by, number }]));
  const grown = growth(sheetId, sheet, area);
  sheet.apply({ requests: moved, appends: area });
  return [...grown, ...moved];
}

function below(area: CellsArea, by: number): CellsArea {
  return { ...area, startRow: area.startRow + by, endRow: area.endRow + by };
}

/** The requests that make the grid as large as an append needs. */
function growth(sheetId: number, { rowCount, columnCount }: TrialSheet, { endRow, endColumn }: CellsArea): Request[] {
  return [
    ...(endRow > rowCount ? [{ appendDimension: { sheetId, dimension: 'ROWS', length: endRow - rowCount } }] : []),
    ...(endColumn > columnCount ? [{ appendDimension: { sheetId, dimension: 'COLUMNS', length: endColumn - columnCount } }] : []),
  ];
}

/** A request whose rows lie within rows that went further down goes with them. */
function shifted(request: Request, shifts: readonly RowShift[]): Request {
  if (shifts.length === 0) return request;
  const moves = (row: number | undefined): number =>
    row === undefined ? 0 : (shifts.find(({ startRow, endRow }) => row >= startRow && row < endRow)?.by ?? 0);
  const [[kind, body]] = Object.entries(request) as [[string, PositionedBody]];
  const { start, range } = body;
  if (start?.rowIndex !== undefined) {
    const by = moves(start.rowIndex);
    return by === 0 ? request : { [kind]: { ...body, start: { ...start, rowIndex: start.rowIndex + by } } };
  }
  if (range?.dimension === 'ROWS') {
    const by = moves(range.startIndex);
    const moved = {
      ...range,
      startIndex: (range.startIndex ?? 0) + by,
      endIndex: range.endIndex === undefined ? undefined : range.endIndex + by,
    };
    return by === 0 ? request : { [kind]: { ...body, range: moved } };
  }
  if (range?.startRowIndex !== undefined) {
    const by = moves(range.startRowIndex);
    const endRowIndex = range.endRowIndex === undefined ? undefined : range.endRowIndex + by;
    return by === 0
      ? request
      : { [kind]: { ...body, range: { ...range, startRowIndex: range.startRowIndex + by, endRowIndex } } };
  }
  return request;
}

interface PositionedBody {
  readonly start?: { readonly rowIndex?: number };
  readonly range?: {
    readonly dimension?: string;
    readonly startIndex?: number;
    readonly endIndex?: number;
    readonly startRowIndex?: number;
    readonly endRowIndex?: number;
  };
}

/**
 * What a writing call of the Sheets v4 surface means for the log: it is carried out on the view, which gives the answer that the
 * service would give, and what it changed there is what will be sent, bound to the cells where the client was told it is.
 */
import {
  invalid,
  ApiError,
  executeParsed,
  notFound,
  recordEdit,
  REQUEST_HANDLERS,
  type Answer,
  type ParsedCall,
  type RecordedEdit,
  type Route,
  type WorkbookState,
} from '@app/workbook';
import type { BookAnswer } from '@app/sheet-view';
import type { CellsOperation } from '@app/write-log';
import { sheetIdOf } from './needed-sheets';

export interface PositionedWrite {
  readonly sheetId: number;
  readonly sheetTitle: string;
  readonly operation: CellsOperation;
}

export interface PlannedCall {
  readonly answer: Answer;
  /** One for each sheet, in order; none where the call changes nothing. */
  readonly writes: readonly PositionedWrite[];
}

interface SheetWrite {
  readonly sheetId: number;
  readonly sheetTitle: string;
  readonly operation: Omit<CellsOperation, 'seenThrough'>;
}

type Request = Readonly<Record<string, unknown>>;

/** Requests of `spreadsheets.batchUpdate` that change cells, rows or columns of one sheet in ways that the view can show. */
const CELL_REQUESTS = new Set([
  'updateCells',
  'appendCells',
  'appendDimension',
  'insertDimension',
  'deleteDimension',
  'deleteRange',
  'insertRange',
]);

export function changesStructure({ method }: Route, { body }: ParsedCall): boolean {
  if (method.key !== 'POST ID:batchUpdate') return false;
  const requests = (body['requests'] as Request[] | undefined) ?? [];
  return requests.some((request) => Object.keys(request).some((kind) => !CELL_REQUESTS.has(kind)));
}

/** @throws ApiError where the service would refuse the call */
export function planCall(
  route: Route,
  parsed: ParsedCall,
  { book, containsThrough }: Pick<BookAnswer, 'book' | 'containsThrough'>,
): PlannedCall {
  let recorded: RecordedEdit<unknown> | undefined;
  const known = (spreadsheetId: string): WorkbookState => {
    if (spreadsheetId !== book.spreadsheetId) throw notFound();
    return book;
  };
  const answer = executeParsed(route, parsed, {
    get: known,
    read: known,
    create: () => {
      throw invalid('a spreadsheet cannot be created here');
    },
    edit: (spreadsheetId, change) => {
      const edit = recordEdit(known(spreadsheetId), change);
      recorded = edit;
      return edit.result;
    },
  });
  const writes = route.method.key === 'POST ID:batchUpdate' ? requestWrites(parsed, book) : valueWrites(route, recorded, book);
  return {
    answer,
    writes: writes.map((write) => ({
      ...write,
      operation: { ...write.operation, seenThrough: containsThrough.get(write.sheetId) ?? 0 },
    })),
  };
}

/** What a values method changed, sheet by sheet. */
function valueWrites({ method }: Route, recorded: RecordedEdit<unknown> | undefined, book: WorkbookState): SheetWrite[] {
  const appends = method.key.endsWith(':append');
  return [...(recorded?.requests ?? [])].map(([sheetId, requests]) => {
    const area = recorded?.areas.get(sheetId);
    const inserts = requests.some((request) => 'insertDimension' in request);
    // Rows that were put in are free for certain; others may be taken by a person before the write is sent.
    const cells = area === undefined || !appends || inserts ? {} : { appends: areaOf(area) };
    return { sheetId, sheetTitle: titleOf(book, sheetId), operation: { kind: 'cells' as const, requests, ...cells } };
  });
}

/** Requests as they came, one write for each run on the same sheet; appended cells are bound to the rows that they get in the view. */
function requestWrites({ body }: ParsedCall, book: WorkbookState): SheetWrite[] {
  const writes: SheetWrite[] = [];
  let state = book;
  for (const request of (body['requests'] as Request[] | undefined) ?? []) {
    const [kind, value] = Object.entries(request)[0];
    const edit = recordEdit(state, (transaction) => REQUEST_HANDLERS[kind](transaction, value as never));
    state = edit.after;
    const sheetId = sheetIdOf(request);
    const area = edit.areas.get(sheetId);
    const last = writes.at(-1);
    if (kind === 'appendCells' && area !== undefined) {
      const operation = { kind: 'cells' as const, requests: edit.requests.get(sheetId) ?? [], appends: areaOf(area) };
      writes.push({ sheetId, sheetTitle: titleOf(book, sheetId), operation });
    } else if (last !== undefined && last.sheetId === sheetId && last.operation.appends === undefined) {
      writes[writes.length - 1] = { ...last, operation: { ...last.operation, requests: [...last.operation.requests, request] } };
    } else {
      writes.push({ sheetId, sheetTitle: titleOf(book, sheetId), operation: { kind: 'cells', requests: [request] } });
    }
  }
  return writes;
}

function areaOf({
  startRow,
  endRow,
  startColumn,
  endColumn,
}: NonNullable<CellsOperation['appends']>): NonNullable<CellsOperation['appends']> {
  return { startRow, endRow, startColumn, endColumn };
}

function titleOf(book: WorkbookState, sheetId: number): string {
  const sheet = book.sheets.find(({ properties }) => properties.sheetId === sheetId);
  if (sheet === undefined) throw new ApiError(400, 'INVALID_ARGUMENT', `No grid with id: ${sheetId}`);
  return sheet.properties.title;
}

/** Whether a cell of the writes holds what only the service can work out: a formula, or text that it read as a number or a date. */
export function userEntered(writes: readonly PositionedWrite[]): boolean {
  return writes.some(({ operation }) =>
    /"formulaValue"|"userEnteredFormat\.numberFormat"|userEnteredFormat\.numberFormat/.test(JSON.stringify(operation.requests)),
  );
}

import type { SnapshotCell, SnapshotContent } from '@app/sheet-view';
import {
  commitEntryId,
  COMMIT_ENTRY_KEY,
  readCommitEntries,
  type RowsWrite,
  type RowValues,
  type RowsOperation,
} from '@app/write-log';
import fc from 'fast-check';
import { BATCH_LIMITS } from './limits';
import { planBatch, type BatchInput, type BatchPlan } from './plan-batch';

type Scalar = string | number | boolean;
type Cells = Scalar[][];

const contentOf = (cells: readonly (readonly SnapshotCell[])[], sheetId = 0): SnapshotContent => ({
  sheetId,
  title: `tab ${sheetId}`,
  index: 0,
  rowCount: 1_000,
  columnCount: 26,
  cells,
});

const append = (key: string, values: RowValues = {}): RowsOperation => appendAll({ id: key, ...values });
const appendAll = (...rows: RowValues[]): RowsOperation => ({
  kind: 'append',
  rows: rows.map((values) => ({ key: String(values.id), values })),
});
const patch = (key: string, set: RowValues): RowsOperation => ({ kind: 'patch', key, set });
const remove = (key: string): RowsOperation => ({ kind: 'delete', key });

/** Log entries numbered from 1 on; `undefined` is a number that was set aside before. */
function logged(operations: readonly (RowsOperation | undefined)[], sheetId = 0): RowsWrite[] {
  return operations.flatMap((operation, at) =>
    operation === undefined ? [] : [{ number: at + 1, sheetId, sheetTitle: `tab ${sheetId}`, operation }],
  );
}

function plan(
  cells: readonly (readonly SnapshotCell[])[],
  operations: readonly (RowsOperation | undefined)[],
  over: Partial<BatchInput> = {},
): BatchPlan {
  return planBatch({
    writes: logged(operations),
    first: 1,
    last: operations.length,
    grids: new Map([[0, contentOf(cells)]]),
    keyColumnName: 'id',
    batchNumber: 9,
    batchId: 'bb',
    epoch: 'aa',
    limits: BATCH_LIMITS,
    ...over,
  });
}

function requestsOf({ batch }: BatchPlan): Record<string, unknown>[] {
  return (batch?.body.requests ?? []).slice(1) as Record<string, unknown>[];
}
const kindsOf = (planned: BatchPlan): string[] => requestsOf(planned).map((request) => Object.keys(request)[0]);
const codesOf = ({ setAside }: BatchPlan): [number, string][] => setAside.map(({ number, code }) => [number, code]);

/** The commit entry as the spreadsheet would give it back. */
function entryOf({ batch }: BatchPlan): ReturnType<typeof readCommitEntries>[number] {
  const { createDeveloperMetadata } = batch?.body.requests[0] as {
    createDeveloperMetadata: { developerMetadata: { metadataId: number; metadataKey: string; metadataValue: string } };
  };
  return readCommitEntries([createDeveloperMetadata.developerMetadata])[0];
}

interface GridRequest {
  readonly updateCells?: { start: { rowIndex: number; columnIndex: number }; rows: CellRow[]; fields: string };
  readonly appendCells?: { rows: CellRow[]; fields: string };
  readonly insertDimension?: { range: { startIndex: number; endIndex: number } };
  readonly deleteDimension?: { range: { startIndex: number; endIndex: number } };
}
interface CellRow {
  readonly values: { userEnteredValue?: { numberValue?: number; stringValue?: string; boolValue?: boolean } }[];
}

/** A sheet that carries requests out one after the other, as the service describes them. */
function carryOut(cells: Cells, requests: readonly GridRequest[]): Cells {
  const rows = cells.map((row) => [...row]);
  const put = (rowIndex: number, columnIndex: number, { values }: CellRow): void => {
    while (rows.length <= rowIndex) rows.push([]);
    values.forEach(({ userEnteredValue: value }, at) => {
      while (rows[rowIndex].length <= columnIndex + at) rows[rowIndex].push('');
      rows[rowIndex][columnIndex + at] = value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? '';
    });
  };
  for (const { updateCells, appendCells, insertDimension, deleteDimension } of requests) {
    if (updateCells !== undefined)
      updateCells.rows.forEach((row, at) => put(updateCells.start.rowIndex + at, updateCells.start.columnIndex, row));
    if (appendCells !== undefined) {
      const end = rows.findLastIndex((row) => row.some((cell) => cell !== '')) + 1;
      appendCells.rows.forEach((row, at) => put(end + at, 0, row));
    }
    if (insertDimension !== undefined) {
      const { startIndex, endIndex } = insertDimension.range;
      rows.splice(startIndex, 0, ...Array.from({ length: endIndex - startIndex }, () => []));
    }
    if (deleteDimension !== undefined) {
      const { startIndex, endIndex } = deleteDimension.range;
      rows.splice(startIndex, endIndex - startIndex);
    }
  }
  return trimmed(rows);
}

/** The same writes, one after the other, on a list of rows: what a person would do who has all day. */
function writeByHand(cells: Cells, operations: readonly RowsOperation[]): { cells: Cells; refused: number[] } {
  const [header, ...below] = cells;
  const keyed = below.findLastIndex((row) => row[0] !== undefined && row[0] !== '');
  const rows = below.map((row, at) => ({ cells: [...row], above: at <= keyed }));
  const refused: number[] = [];
  const assign = (row: Scalar[], values: RowValues): void => {
    for (const [name, value] of Object.entries(values)) {
      const column = header.indexOf(name);
      while (row.length <= column) row.push('');
      if (value !== null) row[column] = value;
    }
  };
  operations.forEach((operation, at) => {
    const rowsOf = (key: string): typeof rows => rows.filter((row) => String(row.cells[0] ?? '') === key);
    if (operation.kind === 'append') {
      if (operation.rows.some(({ key }) => rowsOf(key).length > 0)) return void refused.push(at + 1);
      for (const { values } of operation.rows) {
        const row: Scalar[] = [];
        assign(row, values);
        rows.splice(rows.findLastIndex(({ above }) => above) + 1, 0, { cells: row, above: true });
      }
      return;
    }
    const found = rowsOf(operation.key);
    if (found.length !== 1) return void refused.push(at + 1);
    if (operation.kind === 'patch') assign(found[0].cells, operation.set);
    else rows.splice(rows.indexOf(found[0]), 1);
  });
  return { cells: trimmed([header, ...rows.map((row) => row.cells)]), refused };
}

function trimmed(rows: Cells): Cells {
  const trim = <T>(list: T[], blank: (item: T) => boolean): T[] => list.slice(0, list.findLastIndex((item) => !blank(item)) + 1);
  return trim(
    rows.map((row) => trim(row, (cell) => cell === '')),
    (row) => row.length === 0,
  );
}

describe('a batch', () => {
  const HEADER = ['id', 'a', 'b', 'c'];

  it('leaves the sheet as the writes one after the other would, and touches nothing else', () => {
    const key = fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4', 'k5');
    const cell = fc.constantFrom<Scalar | null>(0, 1, true, false, '', '00731', '=A1', null);
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), cell, { maxKeys: 3 });
    const operation: fc.Arbitrary<RowsOperation> = fc.oneof(
      fc
        .uniqueArray(fc.tuple(key, values), { minLength: 1, maxLength: 3, selector: ([name]) => name })
        .map((rows) => appendAll(...rows.map(([name, set]) => ({ ...set, id: name })))),
      fc.tuple(key, values).map(([name, set]) => patch(name, set)),
      key.map(remove),
    );
    // Column E has no name: what people keep there is theirs.
    const row = fc.tuple(
      fc.constantFrom('k0', 'k1', 'k2', 'k3', ''),
      fc.constantFrom<Scalar>('', 'old', 5),
      fc.constantFrom<Scalar>('', 'old'),
      fc.constant<Scalar>(''),
      fc.constantFrom<Scalar>('', 'a note'),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.array(operation, { minLength: 1, maxLength: 25 }), (rows, operations) => {
        const cells = trimmed([[...HEADER], ...rows]);
        const planned = plan(cells, operations);
        const expected = writeByHand(cells, operations);
        expect(planned.setAside.map(({ number }) => number)).toEqual(expected.refused);
        expect(carryOut(cells, requestsOf(planned) as GridRequest[])).toEqual(expected.cells);
        expect(planned.last).toBe(operations.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('begins with its commit entry, so that a batch applied once cannot be applied again', () => {
    const planned = plan([HEADER], [append('k')]);
    expect(planned.batch).toMatchObject({ number: 9, id: 'bb', first: 1, last: 1, numbers: [1], attempts: 0 });
    expect(planned.batch?.body.requests[0]).toEqual({
      createDeveloperMetadata: {
        developerMetadata: {
          metadataId: commitEntryId(9),
          metadataKey: COMMIT_ENTRY_KEY,
          metadataValue: 'aa.bb 1-1',
          location: { spreadsheet: true },
          visibility: 'DOCUMENT',
        },
      },
    });
    expect(planned.batch?.numbersByRequest[0]).toEqual([]);
  });

  it('carries the last value of a cell only', () => {
    const planned = plan([HEADER, ['k']], [patch('k', { a: 1 }), patch('k', { a: 2 }), patch('k', { a: 3 })]);
    expect(requestsOf(planned)).toEqual([
      {
        updateCells: {
          start: { sheetId: 0, rowIndex: 1, columnIndex: 1 },
          rows: [{ values: [{ userEnteredValue: { numberValue: 3 } }] }],
          fields: 'userEnteredValue',
        },
      },
    ]);
    expect(planned.batch?.numbers).toEqual([1, 2, 3]);
  });

  it('sends nothing for a row that is appended, changed and deleted before it was ever sent', () => {
    const planned = plan([HEADER], [append('k'), patch('k', { a: 1 }), remove('k')]);
    expect(requestsOf(planned)).toEqual([]);
    expect(planned.batch?.numbers).toEqual([1, 2, 3]);
    expect(planned.setAside).toEqual([]);
  });

  it('names single cells of a patch: a neighbour between two of them is not even mentioned', () => {
    const planned = plan([HEADER, ['k', 'A', 'B', 'C']], [patch('k', { a: 1, c: 3 })]);
    expect(requestsOf(planned).map((request) => (request as GridRequest).updateCells?.start)).toEqual([
      { sheetId: 0, rowIndex: 1, columnIndex: 1 },
      { sheetId: 0, rowIndex: 1, columnIndex: 3 },
    ]);
    expect(carryOut([HEADER, ['k', 'A', 'B', 'C']], requestsOf(planned) as GridRequest[])).toEqual([HEADER, ['k', 1, 'B', 3]]);
  });

  it('follows a column that a person has moved, and a row that another row was put above', () => {
    const moved = [['note', 'c', 'id', 'a'], ['new above'], ['', '', 'k', 'A']];
    expect(carryOut(moved, requestsOf(plan(moved, [patch('k', { a: 4 })])) as GridRequest[])).toEqual([
      ['note', 'c', 'id', 'a'],
      ['new above'],
      ['', '', 'k', 4],
    ]);
  });

  it('deletes from the bottom up, so that no row slides under a later delete', () => {
    const cells = [HEADER, ['r1'], ['r2'], ['r3'], ['r4'], ['r5']];
    const planned = plan(cells, [remove('r2'), remove('r4')]);
    expect(requestsOf(planned).map((request) => (request as GridRequest).deleteDimension?.range.startIndex)).toEqual([4, 2]);
    expect(carryOut(cells, requestsOf(planned) as GridRequest[])).toEqual([HEADER, ['r1'], ['r3'], ['r5']]);
  });

  it('appends at the end of the sheet where the last row has a key, and starts in column A even for late columns', () => {
    const planned = plan([HEADER, ['k']], [append('n', { c: 3 })]);
    expect(requestsOf(planned)).toEqual([
      {
        appendCells: {
          sheetId: 0,
          rows: [{ values: [{ userEnteredValue: { stringValue: 'n' } }, {}, {}, { userEnteredValue: { numberValue: 3 } }] }],
          fields: 'userEnteredValue',
        },
      },
    ]);
  });

  it('makes room above totals and notes, which stay below', () => {
    const cells = [HEADER, ['k'], [], ['', 'total', 12]];
    const planned = plan(cells, [append('n'), append('o')]);
    expect(kindsOf(planned)).toEqual(['insertDimension', 'updateCells', 'updateCells']);
    expect(carryOut(cells, requestsOf(planned) as GridRequest[])).toEqual([HEADER, ['k'], ['n'], ['o'], [], ['', 'total', 12]]);
    const formula = [HEADER, ['k'], ['', { value: '', shown: '', formula: '=IF(A3="","",1)' }]];
    expect(kindsOf(plan(formula, [append('n')]))).toEqual(['insertDimension', 'updateCells']);
  });

  it('writes text as text, whatever it begins with, and numbers as numbers', () => {
    const values = ['=IMPORTDATA("http://x.invalid")', '+1', '-2', '@SUM(A1)', '00731', '5/1'];
    const planned = plan(
      [HEADER],
      values.map((a, at) => append(`k${at}`, { a, b: -2, c: false })),
    );
    for (const [at, request] of (requestsOf(planned) as GridRequest[]).entries()) {
      expect(request.appendCells?.rows[0].values.slice(1)).toEqual([
        { userEnteredValue: { stringValue: values[at] } },
        { userEnteredValue: { numberValue: -2 } },
        { userEnteredValue: { boolValue: false } },
      ]);
    }
  });

  describe('names the write of each request', () => {
    it('and no other, so that a refused value is a verdict on its own write only', () => {
      const planned = plan(
        [HEADER, ['k'], ['gone']],
        [
          patch('k', { a: 1, c: 1 }),
          patch('k', { b: 2 }),
          append('n'),
          appendAll({ id: 'o' }, { id: 'p' }),
          patch('gone', { a: 5 }),
          remove('gone'),
        ],
      );
      const named = requestsOf(planned).map((request, at) => [Object.keys(request)[0], planned.batch?.numbersByRequest[at + 1]]);
      expect(named).toEqual([
        ['updateCells', [1]],
        ['updateCells', [2]],
        ['updateCells', [1]],
        ['appendCells', [3]],
        ['appendCells', [4]],
        ['deleteDimension', [6]],
      ]);
    });

    it('and all of them where a new row was changed before it was sent', () => {
      const planned = plan([HEADER], [append('n', { a: 1 }), patch('n', { b: 2 }), patch('n', { a: 3 })]);
      expect(planned.batch?.numbersByRequest.slice(1)).toEqual([[1, 2, 3]]);
    });
  });

  describe('sets a write aside, and goes on with the others,', () => {
    it.each<[string, readonly (readonly SnapshotCell[])[], RowsOperation[], [number, string][]]>([
      ['whose column is gone', [['id', 'a']], [append('x', { b: 1 }), append('y', { a: 1 })], [[1, 'column-gone']]],
      ['whose column is there twice', [['id', 'a', 'a']], [append('x', { a: 1 }), append('y')], [[1, 'column-gone']]],
      [
        'whose row is gone',
        [HEADER, ['k']],
        [patch('x', { a: 1 }), remove('x'), patch('k', { a: 1 })],
        [
          [1, 'row-gone'],
          [2, 'row-gone'],
        ],
      ],
      ['whose row was deleted by a write before it', [HEADER, ['k']], [remove('k'), patch('k', { a: 1 })], [[2, 'row-gone']]],
      ['whose key is taken, as a number too', [HEADER, [7]], [append('7'), append('8')], [[1, 'key-taken']]],
      [
        'whose key several rows have',
        [HEADER, ['k'], ['k']],
        [patch('k', { a: 1 }), remove('k'), append('k'), append('n')],
        [
          [1, 'key-ambiguous'],
          [2, 'key-ambiguous'],
          [3, 'key-taken'],
        ],
      ],
      [
        'as a whole, if one row of an array is bad',
        [HEADER, ['k']],
        [appendAll({ id: 'x' }, { id: 'k' }), append('x')],
        [[1, 'key-taken']],
      ],
    ])('%s', (_what, cells, operations, expected) => {
      const planned = plan(cells, operations);
      expect(codesOf(planned)).toEqual(expected);
      const aside = new Set(expected.map(([number]) => number));
      expect(planned.batch?.numbers).toEqual(operations.map((_, at) => at + 1).filter((number) => !aside.has(number)));
      // Nothing of a write that was set aside is sent.
      expect(planned.batch?.numbersByRequest.flat().some((number) => aside.has(number))).toBe(false);
    });

    it('whose tab is gone, or has no key column any more', () => {
      expect(codesOf(plan([HEADER], [append('x')], { grids: new Map() }))).toEqual([[1, 'sheet-gone']]);
      expect(codesOf(plan([['name', 'a']], [append('x'), remove('y')]))).toEqual([
        [1, 'key-column-gone'],
        [2, 'key-column-gone'],
      ]);
      expect(codesOf(plan([], [append('x')]))).toEqual([[1, 'key-column-gone']]);
      expect(codesOf(plan([['id', 'id']], [append('x')]))).toEqual([[1, 'key-column-gone']]);
    });

    it('and says that there is nothing to send where none is left', () => {
      const planned = plan([HEADER], [remove('x'), undefined, remove('y')]);
      expect(planned.batch).toBeUndefined();
      expect(planned.last).toBe(3);
    });
  });

  describe('says in its commit entry which numbers it does not carry', () => {
    it('whether set aside now or before', () => {
      const planned = plan([HEADER], [append('a'), undefined, remove('nobody'), append('b'), undefined]);
      expect(entryOf(planned)).toMatchObject({ first: 1, leftOut: [2, 3] });
      expect(planned.batch?.numbers).toEqual([1, 4]);
      expect(entryOf(planned).last).toBe(planned.last);
    });

    it('and ends earlier where they would not fit, so that every number is settled in the end', () => {
      // Each good write is followed by more numbers that were set aside before than one entry can name.
      const operations = Array.from({ length: 400 }, (_, at) => (at % 100 === 0 ? append(`k${at}`) : undefined));
      let first = 1;
      const carried: number[] = [];
      for (let rounds = 0; first <= operations.length && rounds < 20; rounds += 1) {
        const writes = logged(operations).filter(({ number }) => number >= first);
        const planned = plan([HEADER], operations, { first, writes });
        expect(planned.last).toBeGreaterThanOrEqual(first);
        carried.push(...(planned.batch?.numbers ?? []));
        if (planned.batch !== undefined) expect(entryOf(planned).last).toBe(planned.last);
        // Numbers at the end without a write are passed over without a batch.
        first = writes.length === 0 ? operations.length + 1 : planned.last + 1;
      }
      expect(carried).toEqual([1, 101, 201, 301]);
    });

    it('for any mixture of good, bad and missing numbers, each round gets on and each good write is carried once', () => {
      const kind = fc.constantFrom('good', 'bad', 'missing', 'missing');
      fc.assert(
        fc.property(fc.array(fc.tuple(kind, fc.integer({ min: 1, max: 40 })), { maxLength: 12 }), (runs) => {
          const kinds = runs.flatMap(([what, count]) => Array.from({ length: count }, () => what));
          const operations = kinds.map((what, at) =>
            what === 'good' ? append(`k${at}`) : what === 'bad' ? remove('nobody') : undefined,
          );
          const carried: number[] = [];
          const aside = new Set<number>();
          let first = 1;
          while (first <= operations.length) {
            const writes = logged(operations).filter(({ number }) => number >= first && !aside.has(number));
            if (writes.length === 0) break;
            const planned = plan([HEADER], operations, { first, writes });
            for (const { number } of planned.setAside) aside.add(number);
            expect(planned.last).toBeGreaterThanOrEqual(first);
            if (planned.batch !== undefined) {
              const { last, leftOut } = entryOf(planned);
              expect(last).toBe(planned.last);
              // What the entry says is what the batch holds, up to the last write that it carries.
              const end = planned.batch.numbers[planned.batch.numbers.length - 1];
              const said = Array.from({ length: end - first + 1 }, (_, at) => first + at).filter(
                (number) => !leftOut.includes(number),
              );
              expect(planned.batch.numbers).toEqual(said);
              carried.push(...planned.batch.numbers);
            }
            first = planned.last + 1;
          }
          expect(carried).toEqual(kinds.flatMap((what, at) => (what === 'good' ? [at + 1] : [])));
        }),
      );
    });
  });

  describe('ends where it would grow too large', () => {
    const limited = (over: Partial<BatchInput['limits']>): Partial<BatchInput> => ({ limits: { ...BATCH_LIMITS, ...over } });

    it('in rows, without splitting a write', () => {
      const operations = [appendAll({ id: 'a' }, { id: 'b' }), append('c'), append('d')];
      expect(plan([HEADER], operations, limited({ rowsMax: 3 }))).toMatchObject({ last: 2, batch: { numbers: [1, 2], last: 2 } });
      expect(plan([HEADER], operations, limited({ rowsMax: 1 }))).toMatchObject({ last: 1, batch: { numbers: [1] } });
    });

    it('in cells', () => {
      const operations = [append('a', { a: 1 }), append('b', { a: 1 }), append('c', { a: 1 })];
      expect(plan([HEADER], operations, limited({ cellsMax: 5 })).batch?.numbers).toEqual([1, 2]);
    });

    it.each([
      ['text that takes three bytes a character', (at: number): RowsOperation => append(`k${at}`, { a: '本'.repeat(500) })],
      ['many small cells', (at: number): RowsOperation => append(`k${at}`, { a: 1, b: true, c: '' })],
      ['patches of cells that are not neighbours', (at: number): RowsOperation => patch(`k${at}`, { a: 1, c: 2 })],
      ['deletes', (at: number): RowsOperation => remove(`k${at}`)],
    ])('in bytes as they are sent: %s', (_what, make) => {
      const cells = [HEADER, ...Array.from({ length: 2_000 }, (_, at) => [`k${at}`])];
      const operations = Array.from({ length: 2_000 }, (_, at) => make(at));
      const grid = operations[0].kind === 'append' ? [HEADER] : cells;
      const bytesMax = 100_000;
      const planned = plan(grid, operations, limited({ bytesMax }));
      const bytes = Buffer.byteLength(JSON.stringify(planned.batch?.body));
      expect(bytes).toBeLessThanOrEqual(bytesMax);
      // And not so careful that twice as many calls would be needed.
      expect(bytes).toBeGreaterThan(bytesMax / 3);
      expect(planned.last).toBe(planned.batch?.numbers.length);
    });

    it('but always carries one write, however large, or it would be stuck', () => {
      const planned = plan(
        [HEADER],
        [append('a', { a: 'x'.repeat(50_000) }), append('b')],
        limited({ rowsMax: 1, cellsMax: 1, bytesMax: 1 }),
      );
      expect(planned.batch?.numbers).toEqual([1]);
    });

    it('and carries 20,000 writes in ten batches, in order, each once', () => {
      const operations = Array.from({ length: 20_000 }, (_, at) => append(`k${at}`, { a: at }));
      const writes = logged(operations);
      const carried: number[] = [];
      let batches = 0;
      for (let first = 1; first <= operations.length; batches += 1) {
        const planned = plan([HEADER], [], { writes: writes.slice(first - 1, first + 1_999), first, last: first + 1_999 });
        for (const number of planned.batch?.numbers ?? []) carried.push(number);
        first = planned.last + 1;
      }
      expect(batches).toBe(10);
      expect(carried).toEqual(writes.map(({ number }) => number));
    });
  });

  it('may carry writes of several tabs, each resolved in its own', () => {
    const writes: RowsWrite[] = [
      { number: 1, sheetId: 5, sheetTitle: 'x', operation: append('k') },
      { number: 2, sheetId: 6, sheetTitle: 'y', operation: append('k') },
      { number: 3, sheetId: 5, sheetTitle: 'x', operation: append('k') },
    ];
    const grids = new Map([5, 6].map((sheetId) => [sheetId, contentOf([HEADER], sheetId)]));
    const planned = plan([], [], { writes, grids, last: 3 });
    expect(codesOf(planned)).toEqual([[3, 'key-taken']]);
    expect(requestsOf(planned)).toMatchObject([{ appendCells: { sheetId: 5 } }, { appendCells: { sheetId: 6 } }]);
  });
});

import type { RowsWrite, RowValues, RowsOperation } from '@app/write-log';
import fc from 'fast-check';
import { columnsOf } from './columns';
import { SheetView } from './sheet-view';
import { snapshotOf, type SnapshotCell, type SnapshotContent } from './snapshot';

const contentOf = (...cells: SnapshotCell[][]): SnapshotContent => ({
  sheetId: 0,
  title: 'orders',
  index: 0,
  rowCount: 1_000,
  columnCount: 26,
  cells,
});
const viewOf = (...cells: SnapshotCell[][]): SheetView => new SheetView(contentOf(...cells), 'id');

let number = 0;
const write = (operation: RowsOperation): RowsWrite => ({ number: ++number, sheetId: 0, sheetTitle: 'orders', operation });
const append = (key: string, values: RowValues = {}): RowsWrite =>
  write({ kind: 'append', rows: [{ key, values: { id: key, ...values } }] });
const patch = (key: string, set: RowValues): RowsWrite => write({ kind: 'patch', key, set });
const remove = (key: string): RowsWrite => write({ kind: 'delete', key });

const rowsOf = (view: SheetView, offset = 0, limit = Infinity): unknown[] =>
  JSON.parse(view.rowsJson(offset, limit)) as unknown[];
const keysOf = (view: SheetView): unknown[] => rowsOf(view).map((row) => (row as { id: unknown }).id);

describe('the names of columns', () => {
  it('are trimmed, so that a stray blank in the header makes no other column of it', () => {
    const { labels, byName } = columnsOf([' id ', 'E-mail ']);
    expect(labels).toEqual(['id', 'E-mail']);
    expect([...byName]).toEqual([
      ['id', 0],
      ['E-mail', 1],
    ]);
  });

  it('that stand twice are shown by their place and cannot be written by, or one column would overwrite the other', () => {
    const { labels, byName, ambiguous } = columnsOf(['id', 'name', 'name ', '', 'total']);
    expect(labels).toEqual(['id', 'B:name', 'C:name', 'D:', 'total']);
    expect([...byName.keys()]).toEqual(['id', 'total']);
    expect([...ambiguous]).toEqual([['name', ['B', 'C']]]);
  });

  it('end with the last one that is not blank', () => {
    expect(columnsOf(['id', '', ' ']).labels).toEqual(['id']);
    expect(columnsOf(['', '']).labels).toEqual([]);
    expect(columnsOf(undefined).labels).toEqual([]);
  });

  it('can be numbers, truth values and computed cells', () => {
    expect(columnsOf([2031, true, { value: 'sum', shown: 'sum', formula: '="su"&"m"' }]).labels).toEqual(['2031', 'true', 'sum']);
  });
});

describe('a snapshot', () => {
  it('keeps what a cell holds: leading zeros, zero, false and text that looks like a formula', () => {
    const values = [
      { effectiveValue: { stringValue: '00731' }, formattedValue: '00731' },
      { effectiveValue: { numberValue: 0 }, formattedValue: '0' },
      { effectiveValue: { boolValue: false }, formattedValue: 'FALSE' },
      { effectiveValue: { stringValue: '=1+1' }, formattedValue: '=1+1' },
      { effectiveValue: { stringValue: '' } },
      { effectiveValue: { numberValue: 1 }, formattedValue: '1' },
    ];
    const { cells } = snapshotOf({
      properties: { sheetId: 0, title: 't', index: 0 },
      data: [{ rowData: [{ values }] }],
    });
    expect(cells).toEqual([['00731', 0, false, '=1+1', '', 1]]);
  });

  it('keeps beside the value how the service shows it, and its formula', () => {
    const values = [
      { effectiveValue: { numberValue: 0.5 }, formattedValue: '50 %' },
      { userEnteredValue: { formulaValue: '=1/0' }, effectiveValue: { errorValue: { type: 'X' } }, formattedValue: '#DIV/0!' },
    ];
    const { cells } = snapshotOf({ properties: { sheetId: 0, title: 't', index: 0 }, data: [{ rowData: [{ values }] }] });
    expect(cells).toEqual([
      [
        { value: 0.5, shown: '50 %' },
        { value: '#DIV/0!', shown: '#DIV/0!', formula: '=1/0', error: { type: 'X' } },
      ],
    ]);
  });

  it('ends with the last row that holds something', () => {
    const rowData = [{ values: [{ effectiveValue: { stringValue: 'a' }, formattedValue: 'a' }, {}] }, {}, { values: [{}] }];
    expect(snapshotOf({ properties: { sheetId: 0, title: 't', index: 0 }, data: [{ rowData }] }).cells).toEqual([['a']]);
    expect(snapshotOf({ properties: { sheetId: 0, title: 't', index: 0 } }).cells).toEqual([]);
  });
});

describe('a view', () => {
  it('of an empty tab, or of a header alone, has no rows', () => {
    expect(viewOf().rowsJson(0, 10)).toBe('[]');
    expect(viewOf().hasHeader).toBe(false);
    expect(viewOf(['id', 'item']).rowsJson(0, 10)).toBe('[]');
    expect(viewOf(['id', 'item']).hasHeader).toBe(true);
  });

  it('pads short rows to the width of the header and passes over blank ones', () => {
    expect(rowsOf(viewOf(['id', 'item', 'n'], ['a'], [], ['', '', ''], ['b', '', 3]))).toEqual([
      { id: 'a', item: '', n: '' },
      { id: 'b', item: '', n: 3 },
    ]);
  });

  it('keeps 0, false, the empty text and leading zeros apart from each other and from nothing', () => {
    const view = viewOf(['id', 'a', 'b', 'c', 'd'], ['k', 0, false, '', '00731']);
    view.apply(append('n', { a: 0, b: false, c: '', d: '00731' }));
    expect(rowsOf(view)).toEqual([
      { id: 'k', a: 0, b: false, c: '', d: '00731' },
      { id: 'n', a: 0, b: false, c: '', d: '00731' },
    ]);
  });

  it('finds a row by the text of its key, so that 7 in a cell answers to "7" in a URL', () => {
    expect(viewOf(['id'], [7], [true]).row('7')?.values).toEqual([7]);
    expect(viewOf(['id'], [7], [true]).row('true')).toBeDefined();
    expect(viewOf(['id'], ['007']).row('7')).toBeUndefined();
  });

  it('puts appended rows after the last row that has a key, above totals and notes', () => {
    const view = viewOf(['id', 'n'], ['a', 1], ['', 'note'], ['b', 2], ['', 'total']);
    view.apply(append('c'));
    view.apply(append('d'));
    expect(keysOf(view)).toEqual(['a', '', 'b', 'c', 'd', '']);
    expect(view.rowCount).toBe(6);
  });

  it('leaves a cell alone for null and clears it for the empty text', () => {
    const view = viewOf(['id', 'a', 'b'], ['k', 'old', 'old']);
    view.apply(patch('k', { a: null, b: '' }));
    expect(rowsOf(view)).toEqual([{ id: 'k', a: 'old', b: '' }]);
  });

  it('merges patches of different columns of one row, so that neither is lost', () => {
    const view = viewOf(['id', 'a', 'b'], ['k', 'old', 'old']);
    view.apply(patch('k', { a: 1 }));
    view.apply(patch('k', { b: 2 }));
    expect(rowsOf(view)).toEqual([{ id: 'k', a: 1, b: 2 }]);
  });

  it('shows a row no more after its delete, and shows it anew after another append', () => {
    const view = viewOf(['id', 'a'], ['k', 1], ['l', 2]);
    view.apply(remove('k'));
    expect(view.row('k')).toBeUndefined();
    expect(view.rowJson('k')).toBeUndefined();
    view.apply(append('k', { a: 3 }));
    expect(rowsOf(view)).toEqual([
      { id: 'l', a: 2 },
      { id: 'k', a: 3 },
    ]);
  });

  it('does not change for writes that cannot be carried out: unknown row, taken key, unknown or ambiguous column', () => {
    const cells = [
      ['id', 'a', 'x', 'x'],
      ['k', 1, 2, 3],
    ];
    const view = viewOf(...cells);
    view.apply(patch('nobody', { a: 9 }));
    view.apply(remove('nobody'));
    view.apply(append('k', { a: 9 }));
    view.apply(patch('k', { gone: 9, x: 9 }));
    expect(view.showsTheSameAs(viewOf(...cells))).toBe(true);
  });

  it('without a key column shows its rows and takes no appends', () => {
    const view = viewOf(['name', 'n'], ['a', 1]);
    view.apply(append('b'));
    expect(view.keyColumn).toBeUndefined();
    expect(rowsOf(view)).toEqual([{ name: 'a', n: 1 }]);
    expect(viewOf(['id', 'id'], ['a', 'b']).keyColumn).toBeUndefined();
  });

  it('gives pages that together are the whole, also after a write in between', () => {
    const view = viewOf(['id'], ...Array.from({ length: 25 }, (_, at) => [`k${at}`]));
    const paged = (): unknown[] => [0, 10, 20, 30].flatMap((offset) => rowsOf(view, offset, 10));
    expect(paged()).toEqual(rowsOf(view, 0, 1_000));
    view.apply(remove('k3'));
    expect(paged()).toEqual(rowsOf(view, 0, 1_000));
    expect(paged()).toHaveLength(24);
    expect(rowsOf(view, 0, 24)).toEqual(rowsOf(view));
    expect(view.rowsJson(24, 10)).toBe('[]');
  });

  it('serialises what it shows now, however often it was read before', () => {
    const view = viewOf(['id', 'a'], ['k', 1]);
    expect(view.rowJson('k')).toBe('{"id":"k","a":1}');
    expect(view.rowsJson(0, 10)).toBe('[{"id":"k","a":1}]');
    view.apply(patch('k', { a: '"\n' }));
    expect(JSON.parse(view.rowJson('k') as string)).toEqual({ id: 'k', a: '"\n' });
    expect(rowsOf(view)).toEqual([{ id: 'k', a: '"\n' }]);
  });

  describe('ends with a keyed row', () => {
    it('where appended rows go to the end of the sheet', () => {
      const view = viewOf(['id'], ['a']);
      expect(view.endsWithKeyedRow).toBe(true);
      view.apply(append('b'));
      expect(view.endsWithKeyedRow).toBe(true);
      expect(viewOf(['id']).endsWithKeyedRow).toBe(true);
    });

    it('not where something stands below, even if no reader sees it: rows would land under it', () => {
      expect(viewOf(['id', 'n'], ['a'], ['', 'total']).endsWithKeyedRow).toBe(false);
      expect(viewOf(['id'], ['a'], ['', '', 'a note beside the table']).endsWithKeyedRow).toBe(false);
      expect(viewOf(['id', 'f'], ['a'], ['', { value: '', shown: '', formula: '=IF(A3="","",1)' }]).endsWithKeyedRow).toBe(false);
    });
  });

  describe('shows the same as another', () => {
    const base = (): SheetView => viewOf(['id', 'a'], ['k', 1], ['l', '']);
    it('where no reader could tell them apart', () => {
      const grown = viewOf(['id', 'a'], ['k', 0]);
      grown.apply(append('l'));
      grown.apply(patch('k', { a: 1 }));
      expect(grown.showsTheSameAs(base())).toBe(true);
      expect(viewOf(['id ', 'a', ''], ['k', 1], [], ['l']).showsTheSameAs(base())).toBe(true);
    });

    it.each([
      ['a value', viewOf(['id', 'a'], ['k', 2], ['l', ''])],
      ['a type', viewOf(['id', 'a'], ['k', '1'], ['l', ''])],
      ['a column name', viewOf(['id', 'b'], ['k', 1], ['l', ''])],
      ['the order of rows', viewOf(['id', 'a'], ['l', ''], ['k', 1])],
      ['a row more', viewOf(['id', 'a'], ['k', 1], ['l', ''], ['m'])],
      ['where appended rows go', viewOf(['id', 'a'], ['k', 1], ['l', ''], ['', '', 'note'])],
    ])('not where they differ in %s', (_what, other) => {
      expect(base().showsTheSameAs(other)).toBe(false);
      expect(other.showsTheSameAs(base())).toBe(false);
    });
  });

  it('shows after any writes what a plain list of rows would', () => {
    const key = fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4', 'k5');
    const cell = fc.constantFrom<(string | number | boolean | null)[]>(0, 1, false, true, '', '00731', '=A1', null);
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), cell, { maxKeys: 3 });
    const operation: fc.Arbitrary<RowsOperation> = fc.oneof(
      fc
        .uniqueArray(fc.tuple(key, values), { minLength: 1, maxLength: 3, selector: ([name]) => name })
        .map((rows): RowsOperation => ({
          kind: 'append',
          rows: rows.map(([name, set]) => ({ key: name, values: { ...set, id: name } })),
        })),
      fc.tuple(key, values).map(([name, set]): RowsOperation => ({ kind: 'patch', key: name, set })),
      key.map((name): RowsOperation => ({ kind: 'delete', key: name })),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), fc.nat(3), (operations, readEvery) => {
        const view = viewOf(['id', 'a', 'b', 'c'], ['k0', 1, 2, 3], ['k1'], ['', 'a total']);
        let rows: Record<string, unknown>[] = [
          { id: 'k0', a: 1, b: 2, c: 3 },
          { id: 'k1', a: '', b: '', c: '' },
        ];
        const assign = (row: Record<string, unknown>, set: RowValues): void => {
          for (const [name, value] of Object.entries(set)) if (value !== null) row[name] = value;
        };
        for (const [at, current] of operations.entries()) {
          view.apply(write(current));
          if (current.kind === 'delete') rows = rows.filter((row) => row.id !== current.key);
          else if (current.kind === 'patch') for (const row of rows) if (row.id === current.key) assign(row, current.set);
          if (current.kind === 'append') {
            for (const appended of current.rows) {
              if (rows.some((row) => row.id === appended.key)) continue;
              const row = { id: appended.key, a: '', b: '', c: '' };
              assign(row, appended.values);
              rows.push(row);
            }
          }
          // Reading in between must not keep an older text of a row.
          if (readEvery > 0 && at % readEvery === 0) view.rowsJson(0, 100);
        }
        expect(rowsOf(view)).toEqual([...rows, { id: '', a: 'a total', b: '', c: '' }]);
        for (const row of rows) expect(JSON.parse(view.rowJson(row.id as string) as string)).toEqual(row);
      }),
      { numRuns: 300 },
    );
  });
});

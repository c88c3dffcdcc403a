import { CodedError, type ErrorFacts } from '@app/platform';
import { SheetView, type SnapshotCell } from '@app/sheet-view';
import type { WriteOperation } from '@app/write-log';
import { keyColumnOf, readAppend, readPatch, ROWS_PER_REQUEST_MAX } from './row-input';

const viewOf = (...cells: SnapshotCell[][]): SheetView =>
  new SheetView({ sheetId: 0, title: 'orders', index: 0, rowCount: 1_000, columnCount: 26, cells }, 'id');

const view = viewOf(['id', 'name', 'n', 'a/b~c', 'twice', 'twice', ''], ['k1', 'Ann', 1], [7, 'Bo', 2]);

/** The facts of the refusal that `work` must end with. */
function refusal(work: () => unknown): ErrorFacts {
  try {
    work();
  } catch (error) {
    if (error instanceof CodedError) return error.facts;
    throw error;
  }
  throw new Error('it was not refused');
}
const refusedAppend = (body: unknown, of = view): ErrorFacts => refusal(() => readAppend(body, of, 'id'));
const refusedPatch = (body: unknown, key = 'k1'): ErrorFacts => refusal(() => readPatch(body, key, view, 'id'));
const rowsOf = (operation: WriteOperation): readonly { key: string; values: unknown }[] =>
  operation.kind === 'append' ? operation.rows : [];

describe('an append', () => {
  it('takes one object or an array, as one write, in the order given', () => {
    expect(readAppend({ id: 'x', name: 'Cy' }, view, 'id')).toEqual({
      kind: 'append',
      rows: [{ key: 'x', values: { id: 'x', name: 'Cy' } }],
    });
    const several = readAppend([{ id: 'x' }, { id: 8 }, { id: true }], view, 'id');
    expect(rowsOf(several).map(({ key }) => key)).toEqual(['x', '8', 'true']);
    // The key cell keeps its type.
    expect(rowsOf(several)[1].values).toEqual({ id: 8 });
  });

  it.each([[{ name: 'x' }], [{ id: '', name: 'x' }], [{ id: null, name: 'x' }]])(
    'makes a key where none is given: %j',
    (body) => {
      const [first, second] = rowsOf(readAppend([body, body], view, 'id'));
      expect(first.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(first.key).not.toBe(second.key);
      expect(first.values).toEqual({ id: first.key, name: 'x' });
    },
  );

  it('takes 0, false, empty text, null and leading zeros as they are', () => {
    const values = { name: '00731', n: 0, 'a/b~c': false };
    expect(rowsOf(readAppend({ id: 'x', ...values }, view, 'id'))[0].values).toEqual({ id: 'x', ...values });
    expect(rowsOf(readAppend({ id: 'x', name: '', n: null }, view, 'id'))[0].values).toEqual({ id: 'x', name: '', n: null });
  });

  it('finds a column under a name with blanks around it', () => {
    expect(rowsOf(readAppend({ ' id ': 'x', 'name ': 'Cy' }, view, 'id'))).toEqual([
      { key: 'x', values: { id: 'x', name: 'Cy' } },
    ]);
  });

  describe('is refused before it touches anything, with the place named:', () => {
    it('an unknown column, with those that there are', () => {
      const facts = refusedAppend({ id: 'x', colour: 'red' });
      expect(facts).toMatchObject({ code: 'unknown-column', status: 422, field: '/colour' });
      expect(facts.message).toContain('"id", "name", "n", "a/b~c"');
      expect(refusedAppend([{ id: 'x' }, { id: 'y' }, { id: 'z' }, { 'E-mail': 1 }])).toMatchObject({ field: '/3/E-mail' });
    });

    it('a column whose name stands twice, with the letters of both', () => {
      const facts = refusedAppend([{ twice: 1 }]);
      expect(facts).toMatchObject({ code: 'ambiguous-column', status: 409, field: '/0/twice' });
      expect(facts.message).toContain('E and F');
    });

    it('a column that has no name', () => {
      expect(refusedAppend({ id: 'x', '': 1 })).toMatchObject({ code: 'unknown-column', field: '/' });
      // As reads call it.
      expect(refusedAppend({ id: 'x', 'E:twice': 1 })).toMatchObject({ code: 'unknown-column', field: '/E:twice' });
    });

    it.each([[['x']], [{ nested: true }]])('a value that no cell can hold: %j', (value) => {
      expect(refusedAppend({ id: 'x', name: value })).toMatchObject({ code: 'wrong-type', status: 400, field: '/name' });
      expect(refusedAppend([{ id: 'x' }, { id: 'y', name: value }])).toMatchObject({ field: '/1/name' });
    });

    it('a number that is not finite, which JSON text can make', () => {
      const body = JSON.parse('{"id":"x","n":1e999}') as unknown;
      expect(refusedAppend(body)).toMatchObject({ code: 'wrong-type', field: '/n' });
    });

    it.each([[undefined], [null], ['text'], [5], [true]])('a body that is no object: %j', (body) => {
      expect(refusedAppend(body)).toMatchObject({ code: 'wrong-type', status: 400, field: 'body' });
      expect(refusedAppend([{ id: 'x' }, body])).toMatchObject({ code: 'wrong-type', field: '/1' });
    });

    it('rows as lists of cells', () => {
      expect(refusedAppend([['x', 'y']])).toMatchObject({ code: 'wrong-type', field: '/0' });
    });

    it('an empty body, an empty array, an empty row', () => {
      expect(refusedAppend({})).toMatchObject({ code: 'empty-body', status: 400, field: 'body' });
      expect(refusedAppend([])).toMatchObject({ code: 'empty-body', status: 400, field: 'body' });
      expect(refusedAppend([{ id: 'x' }, {}])).toMatchObject({ code: 'empty-body', status: 400, field: '/1' });
    });

    it('a key that a row has, as a number or as text', () => {
      expect(refusedAppend({ id: 'k1' })).toMatchObject({ code: 'duplicate-key', status: 409, field: '/id' });
      expect(refusedAppend([{ id: 'x' }, { id: '7' }])).toMatchObject({ code: 'duplicate-key', field: '/1/id' });
      expect(refusedAppend({ id: 7 })).toMatchObject({ code: 'duplicate-key', field: '/id' });
    });

    it('a key that stands twice in one array', () => {
      const facts = refusedAppend([{ id: 'x' }, { id: 9 }, { id: '9' }]);
      expect(facts).toMatchObject({ code: 'duplicate-key', status: 409, field: '/2/id' });
      expect(facts.message).toContain('/1');
    });

    it('a cell over 50,000 characters, and not one of exactly so many', () => {
      const row = (length: number): unknown => ({ id: 'x', name: 'x'.repeat(length) });
      expect(rowsOf(readAppend(row(50_000), view, 'id'))).toHaveLength(1);
      const facts = refusedAppend(row(50_001));
      expect(facts).toMatchObject({ code: 'cell-too-long', status: 422, field: '/name' });
      expect(facts.message).toContain('50001');
      // The whole array, naming row and column.
      expect(refusedAppend([{ id: 'y' }, row(50_001)])).toMatchObject({ code: 'cell-too-long', field: '/1/name' });
    });

    it('a key that is too long for a URL', () => {
      expect(rowsOf(readAppend({ id: 'x'.repeat(512) }, view, 'id'))).toHaveLength(1);
      expect(refusedAppend([{ id: 'x'.repeat(513) }])).toMatchObject({ code: 'key-too-long', status: 422, field: '/0/id' });
    });

    it('more rows than one request may hold', () => {
      const rows = (count: number): unknown[] => Array.from({ length: count }, (_, at) => ({ id: `x${at}` }));
      expect(rowsOf(readAppend(rows(ROWS_PER_REQUEST_MAX), view, 'id'))).toHaveLength(ROWS_PER_REQUEST_MAX);
      expect(refusedAppend(rows(ROWS_PER_REQUEST_MAX + 1))).toMatchObject({ code: 'too-many-rows', status: 413, field: 'body' });
    });

    it('names in a pointer are escaped, so that a program finds the place', () => {
      expect(refusedAppend([{ id: 'x', 'a/b~c': [] }])).toMatchObject({ field: '/0/a~1b~0c' });
    });

    it('a sheet without a header, without a key column, or with two', () => {
      expect(refusedAppend({ id: 'x' }, viewOf())).toMatchObject({ code: 'no-header', status: 409, field: 'sheet' });
      expect(refusedAppend({ id: 'x' }, viewOf(['', '']))).toMatchObject({ code: 'no-header' });
      const without = refusedAppend({ id: 'x' }, viewOf(['name', 'n']));
      expect(without).toMatchObject({ code: 'no-key-column', status: 409, field: 'sheet' });
      expect(without.message).toContain('"name", "n"');
      const twice = refusedAppend({ id: 'x' }, viewOf(['id', 'n', 'id']));
      expect(twice).toMatchObject({ code: 'ambiguous-column', status: 409, field: 'sheet' });
      expect(twice.message).toContain('A and C');
    });
  });
});

describe('a patch', () => {
  it('names the columns that it changes and no other', () => {
    expect(readPatch({ name: 'Di', n: null }, 'k1', view, 'id')).toEqual({
      kind: 'patch',
      key: 'k1',
      set: { name: 'Di', n: null },
    });
  });

  it('may repeat the key, as text or as a number, and does not write it', () => {
    expect(readPatch({ id: 'k1', name: 'Di' }, 'k1', view, 'id')).toMatchObject({ set: { name: 'Di' } });
    expect(readPatch({ id: 7, name: 'Di' }, '7', view, 'id')).toEqual({ kind: 'patch', key: '7', set: { name: 'Di' } });
  });

  it('is refused where it would change the key', () => {
    expect(refusedPatch({ id: 'k2', name: 'Di' })).toMatchObject({ code: 'key-immutable', status: 422, field: '/id' });
    expect(refusedPatch({ id: '', name: 'Di' })).toMatchObject({ code: 'key-immutable', field: '/id' });
  });

  it('is refused where it changes nothing', () => {
    expect(refusedPatch({})).toMatchObject({ code: 'empty-body', status: 400, field: 'body' });
    expect(refusedPatch({ id: 'k1' })).toMatchObject({ code: 'empty-body', status: 400, field: 'body' });
  });

  it('is refused like an append for what stands in it', () => {
    expect(refusedPatch([{ name: 'Di' }])).toMatchObject({ code: 'wrong-type', field: 'body' });
    expect(refusedPatch({ colour: 'red' })).toMatchObject({ code: 'unknown-column', field: '/colour' });
    expect(refusedPatch({ twice: 1 })).toMatchObject({ code: 'ambiguous-column', field: '/twice' });
    expect(refusedPatch({ name: {} })).toMatchObject({ code: 'wrong-type', field: '/name' });
    expect(refusedPatch({ name: 'x'.repeat(50_001) })).toMatchObject({ code: 'cell-too-long', field: '/name' });
  });
});

describe('the key column', () => {
  it('is the configured one', () => {
    expect(keyColumnOf(view, 'id')).toBe('id');
  });
});

describe('columns whose names every object has', () => {
  const odd = viewOf(['id', '__proto__', 'constructor']);

  it('are columns like any other, and touch no prototype', () => {
    const body = JSON.parse('{"id":"k","__proto__":"p","constructor":"c"}') as unknown;
    const { rows } = readAppend(body, odd, 'id') as Extract<WriteOperation, { kind: 'append' }>;
    expect(JSON.stringify(rows)).toBe('[{"key":"k","values":{"id":"k","__proto__":"p","constructor":"c"}}]');
    expect(({} as Record<string, unknown>).p).toBeUndefined();
  });

  it('hold values as other columns do', () => {
    const body = JSON.parse('{"id":"k","__proto__":{"admin":true}}') as unknown;
    expect(refusal(() => readAppend(body, odd, 'id'))).toMatchObject({ code: 'wrong-type', field: '/__proto__' });
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect(refusedAppend(JSON.parse('{"__proto__":"p"}'))).toMatchObject({ code: 'unknown-column', field: '/__proto__' });
  });
});

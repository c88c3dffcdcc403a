import { columnIndex, columnName, echoTitle, formatRange, parseRange, quoteTitle, resolveRectangle } from './index';

const grid = (sheetId: number, title: string, rowCount = 1000, columnCount = 26) => ({ sheetId, title, rowCount, columnCount });

const workbook = {
  sheets: [
    grid(0, 'Sheet1'),
    grid(1, 'Data'),
    grid(2, 'R1C1'),
    grid(3, 'RC'),
    grid(4, 'A'),
    grid(5, 'Summary'),
    grid(6, 'Second Sheet'),
    grid(7, 'has!bang'),
    grid(8, 'D3', 4, 4),
    grid(9, "It's 18:21"),
  ],
  namedRanges: [{ name: 'NamedRange', range: { startRowIndex: 0, endRowIndex: 3, startColumnIndex: 1, endColumnIndex: 3 } }],
};

function echo(text: string, book = workbook): string {
  const answer = parseRange(text, book);
  return answer.ok ? formatRange(answer.range.sheet.title, answer.range) : answer.message;
}

const limits = (range: string) => `Range (${range}) exceeds grid limits. Max rows: 1000, max columns: 26`;

describe('a range is read as the service reads it', () => {
  it.each([
    ['Sheet1', 'Sheet1!A1:Z1000'],
    ["'Sheet1'", 'Sheet1!A1:Z1000'],
    ['Data!R1C1:R2C2', 'Data!A1:B2'],
    ['summary!A1:B2', 'Summary!A1:B2'],
    ['Second Sheet!A1', "'Second Sheet'!A1"],
    ['has!bang', "'has!bang'!A1:Z1000"],
    ["'has!bang'", "'has!bang'!A1:Z1000"],
    ['has!bang!A1', "'has!bang'!A1"],
    ['A1', 'Sheet1!A1'],
    ['A1:A1', 'Sheet1!A1'],
    ['A:A', 'Sheet1!A1:A1000'],
    ['1:1', 'Sheet1!A1:Z1'],
    ['A1:1', 'Sheet1!A1:Z1'],
    ['A2:2', 'Sheet1!A2:Z2'],
    ['A1:C', 'Sheet1!A1:C1000'],
    ['Sheet1!A2:A', 'Sheet1!A2:A1000'],
    ['B2:A1', 'Sheet1!A1:B2'],
    ['A1:AA5', 'Sheet1!A1:Z5'],
    ['A1:B1001', 'Sheet1!A1:B1000'],
    ['Z:AA', 'Sheet1!Z1:Z1000'],
    ['1000:1001', 'Sheet1!A1000:Z1000'],
    ['A', 'A!A1:Z1000'],
    ['!A1', 'Sheet1!A1'],
    ["''!A1", 'Sheet1!A1'],
    ['R1C2', 'Sheet1!B1'],
    ['R[1]C[1]', 'Sheet1!B2'],
    ['R1C1:R[2]C[2]', 'Sheet1!A1:C3'],
    ['R1', 'Sheet1!R1'],
    ['R1:R2', 'Sheet1!R1:R2'],
    ['R', 'Sheet1!A1'],
    ['C', 'Sheet1!A1'],
    ['RC', 'Sheet1!A1'],
    ['R[1]', 'Sheet1!A2:Z2'],
    ['C[1]', 'Sheet1!B1:B1000'],
    ['R1C1:R2000C50', 'Sheet1!A1:Z1000'],
    ['R1C1:R2', 'Sheet1!A1:Z2'],
    ['R1C1:C2', 'Sheet1!A1:B1000'],
    ['R3C3:R1C1', 'Sheet1!A1:C3'],
    ['R1C1', 'Sheet1!A1'],
    ["'R1C1'", "'R1C1'!A1:Z1000"],
    ['R1C1!R1C1', "'R1C1'!A1"],
    ["'D3'!A1:D1", "'D3'!A1:D1"],
    ["'D3'", "'D3'!A1:D4"],
    ['NamedRange', 'Sheet1!B1:C3'],
    ['Sheet1!NamedRange', 'Sheet1!B1:C3'],
    ["'It''s 18:21'!B2", "'It''s 18:21'!B2"],
  ])('%s is %s', (text, expected) => expect(echo(text)).toBe(expected));

  it.each([
    "'A1'", 'A0', 'A1:A0', '0:1', 'Sheet1!B', 'Sheet1!2', 'Z', 'ZZ', 'Sheet1!', ' A1', 'A1 ', 'A1:', 'Sheet1! A1', '!Data', '!',
    '!!A1', 'R0C1', 'R1C0', 'R[-1]C[0]', 'R[+1]C[+1]', 'A1:R2C2', 'R1C1:B2', 'R2C2:R1C1', 'R2C1:R1C2', "'NamedRange'",
    'Solo!A1:B1', 'ABCD1', '',
  ])('%s is no range', (text) => expect(echo(text)).toBe(`Unable to parse range: ${text}`)); // prettier-ignore

  it.each([
    ['A1001:B1002', 'Sheet1!A1001:B1002'],
    ['AA:AB', 'Sheet1!AA:AB'],
    ['1001:1001', 'Sheet1!1001'],
    ['1001:1002', 'Sheet1!1001:1002'],
    ['ZZ:ZZ', 'Sheet1!ZZ'],
    ['R[1000]C[0]', 'Sheet1!A1001'],
    ['RC1', 'Sheet1!RC1'],
    ['Second Sheet!A1001:ZZ', "'Second Sheet'!A1001:ZZ"],
  ])('%s begins outside the grid', (text, named) => expect(echo(text)).toBe(limits(named)));

  it('takes a bare word for the cell even where a tab has that name', () => {
    const book = { ...workbook, sheets: [grid(0, 'Sheet1'), grid(1, 'A1')] };
    expect(echo('A1', book)).toBe('Sheet1!A1');
    expect(echo('A1!A1', book)).toBe("'A1'!A1");
  });

  it.each([
    [{ startRow: 1000 }, 'Sheet1!1001:'],
    [{ startColumn: 26 }, 'Sheet1!AA:'],
    [{ startColumn: 26, endRow: 5 }, 'Sheet1!AA:5'],
    [{ startRow: 1000, endRow: 1005, endColumn: 3 }, 'Sheet1!1001:C1005'],
    [{ startRow: 1000, endRow: 1000 }, '(empty) Sheet1!1001:1000'],
  ])('the grid-limits message leaves open sides open: %j', (rectangle, named) => {
    expect(resolveRectangle(workbook.sheets[0], rectangle)).toEqual({ ok: false, message: limits(named) });
  });
});

describe('titles and columns', () => {
  it('quotes a title always for a request, and for an echo only where the service does', () => {
    expect(quoteTitle("It's")).toBe("'It''s'");
    expect(['Jobs', 'A', 'data_2', 'A1', 'RC', 'R', '2024', 'größe', 'a b'].map(echoTitle)).toEqual([
      'Jobs', 'A', 'data_2', "'A1'", "'RC'", "'R'", "'2024'", "'größe'", "'a b'",
    ]); // prettier-ignore
  });

  it('names every column of the widest sheet and finds it again', () => {
    expect([0, 25, 26, 701, 702, 18_277].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'ZZZ']);
    for (let index = 0; index < 18_278; index += 1) expect(columnIndex(columnName(index))).toBe(index);
  });
});

import { startStack, type Stack } from '@app/local-stack';
import fc from 'fast-check';
import { Client, Upstream } from '../support/client';
import { addTabs, cellsOf, rowsPath, type Rows } from './support/tabs';

const LIKE_A_CELL = ['AB12', 'A2', 'CRM26', 'DKC3', 'R1C1', 'RC', 'wow!A1', 'A:A', '1:1'];
const LIKE_A_CELL_IN_LOWER_CASE = ['v1', 'r2c3', 'b7'];
const WITH_APOSTROPHES = ["Ann's ''26", "'", "''quoted''"];
const OUT_OF_THE_ORDINARY = ['Q 1', 'Q1 ', 'a+b', 'a:b', 'naïve/β', '売上😀', 'two\nlines', '100%', '?x=1&y#z', '%2F', 'a\\b'];

/** Any text that can be a title, and a path segment of a URL as a browser sends it. */
const anyTitle = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((title) => title.trim() !== '' && title !== '.' && title !== '..');
const SEED = 20_310_203;

describe('a tab is found by its title, whatever is in it', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;
  const drawn = fc.sample(anyTitle, { numRuns: 12, seed: SEED });
  const listed = [...LIKE_A_CELL, ...LIKE_A_CELL_IN_LOWER_CASE, ...WITH_APOSTROPHES, ...OUT_OF_THE_ORDINARY];
  const fuzzed = drawn.filter(
    (title, at) => ![...listed, ...drawn.slice(0, at)].some((earlier) => earlier.toLowerCase() === title.toLowerCase()),
  );

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '100000' },
    });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    const rows: Rows = [
      ['id', 'title'],
      ['first', 'there'],
    ];
    await addTabs(upstream, Object.fromEntries([...listed, ...fuzzed].map((title) => [title, rows])));
  }, 90_000);
  afterAll(() => stack?.stop());

  async function roundTrip(title: string): Promise<void> {
    const path = rowsPath(title);
    expect((await client.get(path)).body.rows).toEqual([{ id: 'first', title: 'there' }]);
    expect([title, (await client.post(path, { id: 'k', title })).status]).toEqual([title, 201]);
    expect((await client.patch(`${path}/first`, { title: `of ${title}` })).status).toBe(200);
    const whole = [
      { id: 'first', title: `of ${title}` },
      { id: 'k', title },
    ];
    expect((await client.get(path)).body.rows).toEqual(whole);
    expect((await cellsOf(upstream, title)).slice(1)).toEqual(whole.map((row) => [row.id, row.title]));
  }

  it.each(LIKE_A_CELL)('%j is the tab and not the cell of that name (case 064)', roundTrip);
  it.each(LIKE_A_CELL_IN_LOWER_CASE)('%j in lower case is the tab too (case 072)', roundTrip);
  it.each(WITH_APOSTROPHES)('%j, apostrophes and all, is read and written (case 066)', roundTrip);
  it.each(OUT_OF_THE_ORDINARY)('%j makes the way through URL and range and back (case 068)', roundTrip);

  it('any other title does as well, drawn from all of Unicode (case 068)', async () => {
    for (const title of fuzzed) await roundTrip(title);
  }, 60_000);
});

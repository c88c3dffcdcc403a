/**
 * Degraded reads are answered ahead of Nest's pipeline where that is possible. Two gateways on one Redis, one of which takes the long
 * way for everything: a client must not be able to tell them apart.
 */
import { request } from 'node:http';
import { startStack, type Stack } from '@app/local-stack';
import { pause } from '@app/platform';
import fc from 'fast-check';
import { Client } from '../support/client';

const KEY = 'a-key-of-a-client';

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Wanted {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `fetch` would add headers of its own and hide some of the answer's. */
function ask(baseUrl: string, { method, path, headers }: Wanted): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(baseUrl, { method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _date, 'x-request-id': _id, ...rest } = response.headers as Record<string, string>;
        resolve({ status: response.statusCode as number, headers: rest, body: Buffer.concat(chunks).toString('latin1') });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a degraded read', () => {
  let stack: Stack;
  let fast: string;
  let long: string;

  beforeAll(async () => {
    stack = await startStack({
      gateways: 2,
      gatewayEnv: (index) => ({
        API_KEYS: KEY,
        ROLE: 'api',
        FAST_READS: String(index === 0),
        QUOTA_LIMIT: '20',
        QUOTA_WINDOW_MS: '600000',
      }),
    });
    [fast, long] = stack.gateways.map(({ baseUrl }) => baseUrl);
    const read = { method: 'GET', path: '/sheets/orders/rows?limit=1', headers: { 'x-api-key': KEY } } as const;
    const first = await ask(fast, read);
    expect(first.headers['x-data-source']).toBe('upstream');
    for (const gateway of [fast, long]) while ((await ask(gateway, read)).headers['x-system-degraded'] !== 'true');
  });
  afterAll(() => stack.stop());

  /** Seconds pass between two questions: then both are asked again. */
  async function answersOfBoth(wanted: Wanted): Promise<readonly [RawAnswer, RawAnswer]> {
    for (let attempt = 0; ; attempt += 1) {
      const both = await Promise.all([ask(fast, wanted), ask(long, wanted)]);
      const [a, b] = both.map(({ headers }) => `${headers.age} ${headers.ratelimit}`);
      if (a === b || attempt === 8) return both;
      await pause(60 * attempt);
    }
  }

  const numbers = fc.oneof(
    fc.integer({ min: -2, max: 130 }).map(String),
    fc.constantFrom('', '007', '1e2', '1.5', 'abc', '100000', '100001', '10000001', '99999999999', '%31', '%201', 'NaN', '0x10'),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom('limit', 'limit', 'offset', 'offset', 'page', 'LIMIT'), numbers), { maxLength: 3 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));
  const sheet = fc.constantFrom(
    'orders',
    'orders',
    'orders',
    '%6Frders',
    'Orders',
    'customers',
    'nope',
    'x'.repeat(300),
    'a%2Fb',
  );
  const key = fc.constantFrom('', '', '', '/ORD-0001', '/ORD-0100', '/%4FRD-0002', '/none', '/', '/a%20b');
  const start = fc.constantFrom('', '', '/spreadsheets/mock-spreadsheet', '/spreadsheets/a%20b');
  const credentials = fc.constantFrom<Record<string, string>>(
    { 'x-api-key': KEY },
    { 'x-api-key': KEY },
    { authorization: `Bearer ${KEY}` },
    { 'x-api-key': 'a-key-of-nobody-else' },
    {},
  );
  const known = fc.constantFrom('none', 'none', 'same', 'weak', 'listed', 'any', 'old');
  const method = fc.constantFrom<Wanted['method']>('GET', 'GET', 'GET', 'HEAD');

  it('is the same, header by header and byte by byte, whichever way it is answered', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(method, start, sheet, key, query, credentials, known, async (verb, from, tab, row, asked, who, etag) => {
        const plain: Wanted = { method: verb, path: `${from}/sheets/${tab}/rows${row}${asked}`, headers: who };
        const current = etag === 'none' ? undefined : (await ask(long, plain)).headers.etag;
        const spelled: Record<string, string> = {
          same: `${current}`,
          weak: `W/${current}`,
          listed: `"a", ${current} , "b"`,
          any: '*',
          old: '"0-0.0.all"',
        };
        const wanted = etag === 'none' ? plain : { ...plain, headers: { ...who, 'if-none-match': spelled[etag] } };
        const [quick, slow] = await answersOfBoth(wanted);
        statuses.set(quick.status, (statuses.get(quick.status) ?? 0) + 1);
        expect(quick).toEqual(slow);
      }),
      { numRuns: 200, seed: 5 },
    );
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 304, 400, 401, 404]));
  });

  it('shows every acknowledged write at once, through whichever process it is read and was written', async () => {
    const clients = [fast, long].map((baseUrl) => new Client(baseUrl, { 'x-api-key': KEY }));
    const writer = async (number: number): Promise<void> => {
      for (let round = 0; round < 12; round += 1) {
        const quantity = number * 1_000 + round;
        const path = `/sheets/orders/rows/ORD-${String(number).padStart(4, '0')}`;
        const written = await clients[(number + round) % 2].patch(path, { quantity });
        expect(written.status).toBe(202);
        const [row, list] = await Promise.all([clients[0].get(path), clients[0].get('/sheets/orders/rows')]);
        expect(row.headers.get('x-system-degraded')).toBe('true');
        expect(row.body.quantity).toBe(quantity);
        expect(list.body.rows[number - 1].quantity).toBe(quantity);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => writer(index + 1)));
  });
});

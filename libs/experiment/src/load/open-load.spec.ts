import { createServer, type Server, type ServerResponse } from 'node:http';
import { Random } from '@app/proof';
import { OpenLoad, type PlannedRequest } from './open-load';
import { drawOperation, OPERATIONS } from './operations';
import { outcomeOf } from './outcomes';

const planOf = (dues: readonly number[], operation: PlannedRequest['operation'] = 'list'): PlannedRequest[] =>
  dues.map((dueMs) => ({ phase: 'peak', dueMs, operation }));

describe('the load', () => {
  let server: Server;
  let rowsUrl: string;
  let handle: (method: string, url: string, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => handle(request.method ?? '', request.url ?? '', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    rowsUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/rows`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const loadOf = (plan: readonly PlannedRequest[], over = new AbortController().signal): OpenLoad =>
    new OpenLoad({ rowsUrl, plan, keyPrefix: 'LOAD', over });

  it('is open: all requests are sent though none has been answered', async () => {
    const COUNT = 100;
    const waiting: ServerResponse[] = [];
    // Clients that waited for answers would wait here for ever.
    handle = (_method, _url, response) => {
      waiting.push(response);
      if (waiting.length === COUNT) for (const each of waiting) each.end('{}');
    };
    const load = loadOf(planOf(Array.from({ length: COUNT }, (_, at) => at)));
    await load.run();
    expect(load.answered).toHaveLength(COUNT);
  });

  it('counts from the moment at which a request was due, so that a late generator hides nothing', async () => {
    handle = (_method, _url, response) => void response.end('{}');
    // Due before the load began: whatever sends it is late.
    const load = loadOf(planOf([-500]));
    await load.run();
    const [{ dueMs, sentMs, doneMs }] = load.answered;
    expect(sentMs - dueMs).toBeGreaterThanOrEqual(500);
    expect(doneMs - dueMs).toBeGreaterThanOrEqual(500);
  });

  it('reads back the row that was acknowledged last, and remembers no other', async () => {
    const seen: string[] = [];
    handle = (method, url, response) => {
      seen.push(`${method} ${url}`);
      const appends = seen.filter((line) => line.startsWith('POST')).length;
      response.statusCode = method === 'POST' ? (appends === 1 ? 202 : 429) : 200;
      response.end('{}');
    };
    const operations = ['read-back', 'append', 'append', 'read-back'] as const;
    // Far enough apart for each to be answered before the next is due.
    const load = loadOf(operations.flatMap((operation, at) => planOf([at * 300], operation)));
    await load.run();
    expect(seen).toEqual(['GET /rows?limit=100', 'POST /rows', 'POST /rows', 'GET /rows/LOAD-00002']);
    expect(load.acknowledgedKeys).toEqual(['LOAD-00002']);
    expect(load.answered.map(({ outcome }) => outcome)).toEqual(['upstream', 'accepted', 'refused', 'upstream']);
  });

  it('ends when it is told to, with requests unanswered', async () => {
    const over = new AbortController();
    handle = () => over.abort();
    const load = loadOf(planOf([0, 60_000]), over.signal);
    await load.run();
    expect(load.sent).toBe(1);
    expect(load.answered.map(({ outcome }) => outcome)).toEqual(['failed']);
  });
});

describe('an outcome', () => {
  const answer = (status: number, headers = {}) => ({ kind: 'answered' as const, status, headers, body: '' });

  it.each([
    ['list', answer(200, { 'x-data-source': 'upstream' }), 'upstream'],
    ['list', answer(200, { 'x-data-source': 'snapshot' }), 'view'],
    ['read-back', answer(200, { 'x-data-source': 'snapshot' }), 'view'],
    ['read-back', answer(404), 'missing'],
    ['list', answer(404), 'failed'],
    ['list', answer(429), 'refused'],
    ['list', answer(502), 'failed'],
    ['append', answer(201), 'upstream'],
    ['append', answer(202), 'accepted'],
    ['append', answer(429), 'refused'],
    ['append', answer(503), 'failed'],
    ['append', { kind: 'failed' as const, why: 'ECONNRESET' }, 'failed'],
  ] as const)('of %s, %o: %s', (operation, got, outcome) => {
    expect(outcomeOf(operation, got)).toBe(outcome);
  });
});

describe('the mix', () => {
  it('is four reads to one write, and the same for the same seed', () => {
    const draw = (seed: number): string[] => {
      const random = new Random(seed);
      return Array.from({ length: 5_000 }, () => drawOperation(random));
    };
    const drawn = draw(1);
    expect(drawn.filter((operation) => operation === 'append').length / drawn.length).toBeCloseTo(0.2, 1);
    expect(new Set(drawn)).toEqual(new Set(OPERATIONS));
    expect(draw(1)).toEqual(drawn);
    expect(draw(2)).not.toEqual(drawn);
  });
});

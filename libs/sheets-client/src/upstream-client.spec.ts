import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpService } from '@nestjs/axios';
import { monotonicMs, waitFor } from '@app/platform';
import { googleError } from '@app/sheets-wire';
import axios, { AxiosError, type CreateAxiosDefaults, type InternalAxiosRequestConfig } from 'axios';
import type { CallGate, CallPermit, GateAnswer } from './call-gate';
import { SheetsApi } from './sheets-api';
import { httpModuleOptions, UpstreamClient, type UpstreamCall } from './upstream-client';
import { AccountPool, NOBODY, type UpstreamAccount } from './accounts';
import type { ObservedCall } from './upstream-observer';

const TIMEOUT_MS = 300;
/** For calls that must not run into the deadline, however busy the machine is. */
const PATIENT_MS = 15_000;

/** A gate that grants what it is told to and writes down what becomes of each permit. */
class WatchedGate implements CallGate {
  readonly events: string[] = [];
  answer: (permit: CallPermit) => GateAnswer = (permit) => ({ granted: true, permit });
  sendByMs = Infinity;

  async reserve(lane: string, access: string, accountIds: readonly string[]): Promise<GateAnswer> {
    this.events.push(`reserve ${lane} ${access}`);
    return this.answer({
      accountId: accountIds[0],
      sendByMs: this.sendByMs,
      settle: async () => void this.events.push('settle'),
      release: async () => void this.events.push('release'),
    });
  }

  async refusedByUpstream(access: string, _accountId: string, body: unknown): Promise<void> {
    this.events.push(`refused ${access} ${JSON.stringify(body)}`);
  }
}

const READ: UpstreamCall = { lane: 'direct', access: 'read', method: 'GET', path: '/v4/spreadsheets/s' };
const WRITE: UpstreamCall = {
  lane: 'drain',
  access: 'write',
  method: 'POST',
  path: '/v4/spreadsheets/s:batchUpdate',
  body: { requests: [] },
};

/** The library's types as a module and as CommonJS are two to the compiler. */
const httpService = (config: CreateAxiosDefaults): HttpService =>
  new HttpService(axios.create(config) as unknown as HttpService['axiosRef']);

describe('the upstream client', () => {
  let server: Server;
  let baseUrl: string;
  let gate: WatchedGate;
  let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
  let arrived: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  const closing: (() => void)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        arrived.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(request, response, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    gate = new WatchedGate();
    arrived = [];
    json(200, { ok: true });
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  function json(status: number, body: unknown): void {
    answer = (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function clientFor(url: string, accounts: readonly UpstreamAccount[] = [NOBODY], timeoutMs = PATIENT_MS): UpstreamClient {
    const options = { baseUrl: url, timeoutMs };
    const config = httpModuleOptions(options);
    closing.push(() => (config.httpAgent as { destroy(): void }).destroy());
    return new UpstreamClient(httpService(config), gate, new AccountPool(accounts), options);
  }
  const client = (): UpstreamClient => clientFor(baseUrl);
  const hasty = (): UpstreamClient => clientFor(baseUrl, [NOBODY], TIMEOUT_MS);

  describe('sends nothing', () => {
    it('without a permit, and hands on when asking again can help', async () => {
      gate.answer = () => ({ granted: false, refusal: { reason: 'ceiling', retryInMs: 1_234 } });
      expect(await client().call(WRITE)).toEqual({ kind: 'refused', refusal: { reason: 'ceiling', retryInMs: 1_234 } });
      expect(gate.events).toEqual(['reserve drain write']);
      expect(arrived).toEqual([]);
    });

    it('with a permit that ran out while the process was paused: the place may count no more', async () => {
      gate.sendByMs = monotonicMs() - 1;
      expect(await client().call(WRITE)).toMatchObject({ kind: 'unreachable' });
      expect(gate.events).toEqual(['reserve drain write', 'release']);
      expect(arrived).toEqual([]);
    });

    it('with a permit that ran out while the right to send was being checked', async () => {
      const beforeSend = async (): Promise<boolean> => {
        await waitFor('the permit to run out', () => monotonicMs() > gate.sendByMs);
        return true;
      };
      gate.sendByMs = monotonicMs() + 20;
      expect(await client().call({ ...WRITE, beforeSend })).toMatchObject({ kind: 'unreachable' });
      expect(gate.events).toEqual(['reserve drain write', 'release']);
      expect(arrived).toEqual([]);
    });

    it('where the right to send was lost, and gives the permit back', async () => {
      expect(await client().call({ ...WRITE, beforeSend: async () => false })).toMatchObject({ kind: 'withheld' });
      expect(gate.events).toEqual(['reserve drain write', 'release']);
      expect(arrived).toEqual([]);
    });

    it('where it could not be asked: the caller is told, the permit is given back', async () => {
      const beforeSend = async (): Promise<boolean> => {
        throw new Error('Command timed out');
      };
      await expect(client().call({ ...WRITE, beforeSend })).rejects.toThrow('Command timed out');
      expect(gate.events).toEqual(['reserve drain write', 'release']);
      expect(arrived).toEqual([]);
    });

    it('where it cannot sign in, which decides the attempt: a write is not in doubt, nor does the drain break', async () => {
      const account = { ...NOBODY, headers: () => Promise.reject(new Error('the token endpoint is away')) };
      const beforeSend = jest.fn(async () => true);
      const of = clientFor(baseUrl, [account]);
      expect(await of.call({ ...WRITE, beforeSend })).toMatchObject({ kind: 'unreachable' });
      expect(beforeSend).not.toHaveBeenCalled();
      expect(gate.events).toEqual(['reserve drain write', 'release']);
      expect(arrived).toEqual([]);
      expect(of.health.failing).toBe(true);
    });
  });

  it('asks for the right to send with the permit in hand, right before the request goes out', async () => {
    const beforeSend = async (): Promise<boolean> => {
      gate.events.push(`asked, ${arrived.length} sent`);
      return true;
    };
    await client().call({ ...WRITE, beforeSend });
    expect(gate.events).toEqual(['reserve drain write', 'asked, 0 sent', 'settle']);
    expect(arrived).toHaveLength(1);
  });

  it('sends path, body and credentials as they are given', async () => {
    const path = '/v4/spreadsheets/s%2F1?ranges=%27Ann%27%27s%27&fields=a(b%2Cc)';
    await clientFor(baseUrl, [{ ...NOBODY, headers: async () => ({ authorization: 'Bearer t' }) }]).call({
      ...WRITE,
      path,
      body: { a: 'ü=1' },
    });
    expect(arrived).toMatchObject([
      {
        method: 'POST',
        url: path,
        body: '{"a":"ü=1"}',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      },
    ]);
  });

  it('counts an answered call from its answer on: settled after it came, not before it was sent', async () => {
    answer = (_request, response) => {
      gate.events.push('arrived');
      response.end('{}');
    };
    await client().call(READ);
    expect(gate.events).toEqual(['reserve direct read', 'arrived', 'settle']);
  });

  it('gives the body of a success', async () => {
    json(200, { sheets: [{ properties: { title: 'ü' } }] });
    expect(await client().call(READ)).toEqual({ kind: 'answered', body: { sheets: [{ properties: { title: 'ü' } }] } });
  });

  describe.each([400, 401, 403, 404, 409, 413])('an answer of %i', (status) => {
    it('decides the attempt: rejected, with the upstream’s own words, and settled', async () => {
      const body = { error: { code: status, message: 'Invalid requests[1].updateCells: no', status: 'X' } };
      json(status, body);
      expect(await client().call(WRITE)).toEqual({ kind: 'rejected', status, message: body.error.message, body });
      expect(gate.events).toEqual(['reserve drain write', 'settle']);
    });
  });

  it('a 403 for rate is a 429; a 403 for a missing permission stays one', async () => {
    json(403, { error: { code: 403, message: 'Rate Limit Exceeded', errors: [{ reason: 'userRateLimitExceeded' }] } });
    expect(await client().call(WRITE)).toMatchObject({ kind: 'rejected', status: 429 });
    expect(gate.events.filter((event) => event.startsWith('refused'))).toHaveLength(1);
    json(403, { error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' } });
    expect(await client().call(WRITE)).toMatchObject({ kind: 'rejected', status: 403 });
    expect(gate.events.filter((event) => event.startsWith('refused'))).toHaveLength(1);
  });

  it('a 429 is told to the quota with the body that names the limit, and still settles its permit', async () => {
    const body = { error: { code: 429, message: 'Quota exceeded' } };
    json(429, body);
    expect(await client().call(WRITE)).toMatchObject({ kind: 'rejected', status: 429 });
    expect(gate.events).toEqual(['reserve drain write', 'settle', `refused write ${JSON.stringify(body)}`]);
  });

  it.each([
    ['an error page', 400, '<html>no</html>', 'rejected'],
    ['an empty error', 404, '', 'rejected'],
    ['a broken gateway', 502, '<html>bad</html>', 'unknown'],
    ['an error of the server', 503, '{"error":{"message":"try later"}}', 'unknown'],
    ['a redirect', 302, '', 'unknown'],
    ['a success that cannot be read', 200, '{"replies":[', 'unknown'],
    ['a success without a body', 200, '', 'unknown'],
    ['a success that is no object', 200, 'null', 'unknown'],
  ])('%s is what it is, never more than is known', async (_what, status, text, kind) => {
    answer = (_request, response) => response.writeHead(status, { location: `${baseUrl}/elsewhere` }).end(text);
    expect((await client().call(WRITE)).kind).toBe(kind);
    // It has answered, so the call counts from now, and nobody has tried again.
    expect(gate.events).toEqual(['reserve drain write', 'settle']);
    expect(arrived).toHaveLength(1);
  });

  describe('with several accounts', () => {
    const named = (id: string): UpstreamAccount => ({ ...NOBODY, id, headers: async () => ({ authorization: `Bearer ${id}` }) });
    const callers = (): unknown[] => arrived.map(({ headers }) => headers.authorization);
    const DENIED = googleError(403, 'PERMISSION_DENIED', 'The caller does not have permission');

    it('calls as the next one where the first may not, on a permit of its own, and as that one from then on', async () => {
      const refuseAnn: typeof answer = (request, response) =>
        request.headers.authorization === 'Bearer ann'
          ? response.writeHead(403).end(JSON.stringify(DENIED))
          : response.writeHead(200).end('{}');
      answer = refuseAnn;
      const client = clientFor(baseUrl, [named('ann'), named('bob')]);
      expect(await client.call(WRITE)).toMatchObject({ kind: 'answered' });
      expect(gate.events).toEqual(['reserve drain write', 'settle', 'reserve drain write', 'settle']);
      expect(await client.call(WRITE)).toMatchObject({ kind: 'answered' });
      expect(callers()).toEqual(['Bearer ann', 'Bearer bob', 'Bearer bob']);
      // Who may not write may still read, and other spreadsheets are another matter.
      await client.call(READ);
      await client.call({ ...WRITE, path: '/v4/spreadsheets/other:batchUpdate' });
      expect(callers().slice(3)).toEqual(['Bearer ann', 'Bearer bob', 'Bearer ann', 'Bearer bob']);
    });

    it('tells the refusal where none of them may', async () => {
      json(403, DENIED);
      const client = clientFor(baseUrl, [named('ann'), named('bob')]);
      expect(await client.call(READ)).toMatchObject({ kind: 'rejected', status: 403 });
      expect(callers()).toEqual(['Bearer ann', 'Bearer bob']);
      // It may have been shared meanwhile: one of them asks.
      expect(await client.call(READ)).toMatchObject({ kind: 'rejected', status: 403 });
      expect(arrived).toHaveLength(3);
    });

    it('calls as the next one where the first cannot sign in', async () => {
      const broken = { ...named('ann'), headers: () => Promise.reject(new Error('invalid_grant')) };
      expect(await clientFor(baseUrl, [broken, named('bob')]).call(READ)).toMatchObject({ kind: 'answered' });
      expect(gate.events).toEqual(['reserve direct read', 'release', 'reserve direct read', 'settle']);
      expect(callers()).toEqual(['Bearer bob']);
    });

    it('asks for a new token, once, where the upstream does not take the one it had', async () => {
      let token = 'old';
      const forgetToken = (): boolean => {
        token = 'new';
        return true;
      };
      const account = { ...NOBODY, headers: async () => ({ authorization: token }), forgetToken };
      answer = (request, response) => response.writeHead(request.headers.authorization === 'new' ? 200 : 401).end('{}');
      expect(await clientFor(baseUrl, [account]).call(READ)).toMatchObject({ kind: 'answered' });
      expect(callers()).toEqual(['old', 'new']);
      json(401, {});
      expect(await clientFor(baseUrl, [account]).call(READ)).toMatchObject({ kind: 'rejected', status: 401 });
      expect(arrived).toHaveLength(4);
    });
  });

  describe('leaves the attempt open, and its permit to the lease,', () => {
    const open = ['reserve drain write'];

    it('where no answer comes within the deadline, and destroys the socket', async () => {
      let closed = false;
      answer = (request) => request.socket.once('close', () => (closed = true));
      expect(await hasty().call(WRITE)).toEqual({
        kind: 'unknown',
        message: `no answer within ${TIMEOUT_MS} ms`,
        timedOut: true,
      });
      expect(gate.events).toEqual(open);
      await waitFor('the socket to be destroyed', () => closed);
    });

    it('where the answer begins in time and drips on: the deadline is for the whole of it', async () => {
      let dripping: NodeJS.Timeout | undefined;
      answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        dripping = setInterval(() => response.write(' '), 20);
        request.socket.once('close', () => clearInterval(dripping));
      };
      expect(await hasty().call(WRITE)).toMatchObject({ kind: 'unknown' });
      expect(gate.events).toEqual(open);
    });

    it('where the connection is cut before the answer', async () => {
      answer = (request) => request.socket.destroy();
      expect(await client().call(WRITE)).toMatchObject({ kind: 'unknown' });
      expect(gate.events).toEqual(open);
      expect(arrived).toHaveLength(1);
    });

    it('where it is cut in the middle of the answer', async () => {
      answer = (request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"replies":', () => request.socket.destroy());
      };
      expect(await client().call(WRITE)).toMatchObject({ kind: 'unknown' });
      expect(gate.events).toEqual(open);
    });

    it('where the route is lost after the request was sent', async () => {
      expect(await failing('EHOSTUNREACH', 'read').call(WRITE)).toMatchObject({ kind: 'unknown' });
      expect(gate.events).toEqual(open);
    });
  });

  describe('gives the permit back', () => {
    it('where nobody listens: the request surely never arrived', async () => {
      const empty = createServer();
      await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
      const { port } = empty.address() as AddressInfo;
      await new Promise((resolve) => empty.close(resolve));
      expect(await clientFor(`http://127.0.0.1:${port}`).call(WRITE)).toMatchObject({ kind: 'unreachable' });
      expect(gate.events).toEqual(['reserve drain write', 'release']);
    });

    it('where there is no route to connect by', async () => {
      expect(await failing('EHOSTUNREACH', 'connect').call(WRITE)).toMatchObject({ kind: 'unreachable' });
      expect(gate.events).toEqual(['reserve drain write', 'release']);
    });
  });

  /** A client whose network fails in a way that cannot be brought about here. */
  function failing(code: string, syscall: string): UpstreamClient {
    const adapter = (config: InternalAxiosRequestConfig): Promise<never> =>
      Promise.reject(AxiosError.from(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }), code, config));
    return new UpstreamClient(httpService({ adapter }), gate, AccountPool.ofNobody(), {
      baseUrl,
      timeoutMs: PATIENT_MS,
    });
  }

  it('tells its observer of every call once: what became of it, and how long the upstream took', async () => {
    const seen: ObservedCall[] = [];
    const options = { baseUrl, timeoutMs: TIMEOUT_MS };
    const of = new UpstreamClient(
      httpService(httpModuleOptions(options)),
      gate,
      AccountPool.ofNobody(),
      options,
      (call) => void seen.push(call),
    );
    for (const [status, body] of [
      [200, {}],
      [404, {}],
      [429, {}],
      [503, {}],
    ] as const) {
      json(status, body);
      await of.call(READ);
    }
    answer = () => undefined;
    await of.call(READ);
    await of.call({ ...WRITE, beforeSend: async () => false });
    gate.answer = () => ({ granted: false, refusal: { reason: 'lane-ceiling', retryInMs: 5 } });
    await of.call(WRITE);
    expect(seen.map(({ lane, access, method, outcome }) => [lane, access, method, outcome].join(' '))).toEqual([
      'direct read GET ok',
      'direct read GET client-error',
      'direct read GET rate-limited',
      'direct read GET server-error',
      'direct read GET timeout',
      'drain write POST not-sent',
      'drain write POST refused-by-gate',
    ]);
    expect(seen.map(({ durationMs }) => durationMs > 0)).toEqual([true, true, true, true, true, false, false]);
    expect(seen[4].durationMs).toBeGreaterThan(TIMEOUT_MS - 50);
  });

  describe('its health', () => {
    it('is what the last call said: a refusal for good is a sign of life, a failure is none', async () => {
      const of = client();
      expect(of.health.failing).toBe(false);
      json(503, {});
      await of.call(READ);
      expect(of.health.failing).toBe(true);
      const failedMs = of.health.lastFailureMs as number;
      await waitFor('the clock to go on', () => Date.now() > failedMs);
      json(404, {});
      await of.call(READ);
      expect(of.health.failing).toBe(false);
    });

    it('does not suffer from our own quota', async () => {
      gate.answer = () => ({ granted: false, refusal: { reason: 'ceiling', retryInMs: 1 } });
      const of = client();
      await of.call(READ);
      expect([of.health.lastSuccessMs, of.health.lastFailureMs]).toEqual([undefined, undefined]);
    });
  });

  describe('the methods of the API', () => {
    const urlOf = (at = 0): URL => new URL(arrived[at].url, baseUrl);

    it('name a whole tab so that no title is taken for a cell, whatever is in it', async () => {
      const titles = ['AB12', "Ann's ''26", 'Q 1 ', 'a+b', 'a:b!c', 'naïve/β', '売上😀', 'two\nlines', 'v1'];
      await new SheetsApi(client()).fetchSheets('s', titles, 'direct');
      expect(urlOf().searchParams.getAll('ranges')).toEqual(titles.map((title) => `'${title.replaceAll("'", "''")}'`));
      expect(urlOf().searchParams.get('fields')).toContain('developerMetadata(');
    });

    it('cost one call each, in the lane that asks, counted as what they are', async () => {
      const api = new SheetsApi(client());
      await api.fetchSheets('s', undefined, 'refresh');
      await api.fetchTabs('s', 'cold');
      await api.fetchMetadata('s', 1_000_000_001, 'drain');
      await api.batchUpdate('s', { requests: [] }, 'drain');
      expect(gate.events.filter((event) => event.startsWith('reserve'))).toEqual([
        'reserve refresh read',
        'reserve cold read',
        'reserve drain read',
        'reserve drain write',
      ]);
      expect(arrived.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
        'GET /v4/spreadsheets/s',
        'GET /v4/spreadsheets/s',
        'GET /v4/spreadsheets/s/developerMetadata/1000000001',
        'POST /v4/spreadsheets/s:batchUpdate',
      ]);
    });

    it('cannot be led to another path by the id of a spreadsheet', async () => {
      await new SheetsApi(client()).fetchTabs('../drive?x=#', 'direct');
      expect(urlOf().pathname).toBe(`/v4/spreadsheets/${encodeURIComponent('../drive?x=#')}`);
    });
  });
});

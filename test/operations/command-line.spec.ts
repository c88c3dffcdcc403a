import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort, startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import type { QuotaReport } from '../../apps/gateway/src/operations/control/quota-control';
import { runCommandLine } from '../../apps/gateway/src/command-line/command-line';
import { Client, Upstream } from '../support/client';

const OPERATOR = { OPERATOR_USER: 'ops', OPERATOR_PASSWORD: 'secret-of-ops' };
const READ_ONLY = { OPERATOR_READONLY_USER: 'guest', OPERATOR_READONLY_PASSWORD: 'secret-of-guest' };

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // Each command prints what its route answers.
  readonly json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

const saying = (part: string): unknown => expect.stringContaining(part);

describe('the operators’ command line, against a running gateway', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;

  /** A command as people give it; with --json its output as a program reads it. */
  async function run(line: string, environment: Record<string, string> = OPERATOR): Promise<Ran> {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
    const env = { GATEWAY_URL: stack.gateways[0].baseUrl, ...environment };
    const code = await runCommandLine(line.split(' '), env, terminal);
    const json: unknown = line.includes('--json') ? JSON.parse(out.join('\n')) : undefined;
    return { code, out: out.join('\n'), err: err.join('\n'), json };
  }
  const append = async (): Promise<Awaited<ReturnType<Client['post']>>> =>
    await client.post('/sheets/orders/rows', { item: 'tea' });
  const upstreamWrites = async (): Promise<number> => (await upstream.calls()).filter(({ kind }) => kind === 'write').length;

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1' },
      gatewayEnv: { ...OPERATOR, ...READ_ONLY, DRAIN_PACE_MS: '700' },
    });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    await client.get('/sheets/orders/rows');
  }, 60_000);
  afterAll(async () => await stack?.stop());

  it('status tells mode, quota, jobs and pending writes', async () => {
    const status = await run('status --json');
    expect(status.code).toBe(0);
    expect(status.json).toMatchObject({
      mode: 'direct',
      upstream: { state: 'ok' },
      drain: { paused: false },
      writes: { pending: 0 },
    });
    const { out } = await run('status');
    expect(out).toMatch(/^mode {6}direct/);
    expect(out).toMatch(/case-study +1 +300 +direct/);
    expect(out).toContain('no pending writes');
  });

  it('pause holds back every write: direct ones are 202, nothing is sent, probes and status tell; resume lets them go', async () => {
    const before = await upstreamWrites();
    expect((await run('pause --reason moving')).out).toMatch(/^paused: all spreadsheets, since .*, by ops \(moving\)$/);
    const write = await append();
    expect([write.status, write.headers.get('x-degraded-reason')]).toEqual([202, 'drain-paused']);
    expect((await run('status')).out).toMatch(/mock-spreadsheet +1 +\d+ s +paused/);
    await waitFor('the probe to tell', async () => (await client.get('/health/ready')).body.details.drain.paused === true);
    expect((await run('drain')).err).toMatch(/^drain-paused: the drain is paused since .* by ops/);
    expect((await run('drain --json')).json.error.code).toBe('drain-paused');
    expect(await upstreamWrites()).toBe(before);

    expect((await run('resume --json')).json).toEqual({ resumed: true });
    expect((await client.get(`${write.headers.get('location')}?wait=20s`)).body.state).toBe('applied');
    expect((await run('resume')).out).toBe('it was not paused');
  });

  it('one spreadsheet alone can be paused', async () => {
    await run('pause --spreadsheet mock-spreadsheet');
    const held = await append();
    expect(held.headers.get('x-degraded-reason')).toBe('drain-paused');
    expect((await run('status --json')).json.drain).toMatchObject({
      paused: false,
      pauses: [{ spreadsheetId: 'mock-spreadsheet' }],
    });
    await run('resume --spreadsheet mock-spreadsheet');
    expect((await client.get(`${held.headers.get('location')}?wait=20s`)).body.state).toBe('applied');
  });

  it('writes list, cancel and retry', async () => {
    await run('pause');
    const { id } = (await append()).body as { id: string };
    expect((await run('writes list --state accepted --json')).json.writes).toEqual([expect.objectContaining({ id })]);
    expect((await run(`writes cancel ${id}`)).out).toBe(`${id} is cancelled`);
    expect((await run(`writes cancel ${id}`)).err).toContain('not-pending');
    expect((await run('writes list --state cancelled --limit 1')).out).toMatch(
      new RegExp(`${id} +cancelled +orders +append +\\S+ +\\d+ s +cancelled: `),
    );
    const retried = (await run(`writes retry ${id} --json`)).json as { id: string; releaseOf: string };
    expect(retried.releaseOf).toBe(id);
    expect((await run('writes cancel')).code).toBe(2);
    await run('resume');
    expect((await client.get(`/writes/${retried.id}?wait=20s`)).body.state).toBe('applied');
  });

  it('drain waits until all is sent, and tells how far it is; it says so where the time is not enough', async () => {
    await run('pause');
    for (let count = 0; count < 3; count += 1) await append();
    await upstream.faults({ rules: [{ fault: 'latency', on: 'write', delayMs: 1_500 }] });
    await run('resume');
    const short = await run('drain --wait 0.1');
    expect(short).toMatchObject({ code: 4, out: '3 of 3 still pending', err: saying('3 pending') });
    const drained = await run('drain --wait 30');
    expect([drained.code, drained.out]).toEqual([0, 'all of 3 settled']);
    expect(drained.err.split('\n').at(-1)).toBe('0 pending');
    await upstream.faults({});
    expect((await run('drain --json')).json).toEqual({ before: 0, pending: 0 });
  });

  it('snapshot refresh fetches by one call, and says which tabs there are where the name is wrong', async () => {
    const before = (await upstream.calls()).length;
    const refreshed = await run('snapshot refresh --sheet orders --json');
    expect(refreshed.json).toMatchObject({ spreadsheetId: 'mock-spreadsheet', sheets: [{ sheet: 'orders' }], lagging: false });
    expect((await upstream.calls()).length).toBe(before + 1);
    expect((await run('snapshot refresh')).out).toMatch(/orders +\d+\ncustomers +\d+/);
    expect(await run('snapshot refresh --sheet nope')).toMatchObject({ code: 1, err: saying('unknown-sheet') });
  });

  it('quota show, and a reset that forgets what was learnt; counted calls only where asked to', async () => {
    const [quota] = (await run('quota show --json')).json.quotas as QuotaReport[];
    expect(quota).toMatchObject({ quotaId: 'case-study', limit: 300, foreignCalls: 0 });
    expect(quota.lanes.cold.counted).toBeGreaterThan(0);
    expect((await run('quota show')).out).toMatch(/quota +used +limit/);
    expect(await run('quota reset')).toMatchObject({ code: 2, err: saying('--yes') });
    expect((await run('quota reset --yes --json')).json.quotas[0].consumed).toBeGreaterThanOrEqual(quota.consumed);
    expect((await run('quota reset --yes --quota nope')).err).toContain('expected one of case-study');
    expect((await run('quota reset --yes --calls --json')).json.quotas[0].consumed).toBe(0);
  });

  it('who may only look can look, and nothing else; who is unknown can do nothing', async () => {
    expect((await run('status', READ_ONLY)).code).toBe(0);
    for (const action of ['pause', 'resume', 'drain', 'quota reset --yes', 'snapshot refresh', 'writes cancel x'])
      expect(await run(action, READ_ONLY)).toMatchObject({ code: 1, err: saying('operator-read-only') });
    expect(await run('status', {})).toMatchObject({ code: 1, err: saying('operator-only') });
  });

  it('every action is in the log: who, what, on which write', async () => {
    await run('writes cancel some-write');
    await run('pause', READ_ONLY);
    await waitFor('the lines', () => {
      // The lines are JSON: their quotation marks are escaped.
      const log = stack.gateways[0].log().replaceAll('\\"', '"');
      return (
        log.includes('operator "ops": DELETE /operations/writes/:id id="some-write": 404') &&
        log.includes('operator "guest": POST /operations/pause: 403')
      );
    });
  });

  it('wrong usage is 2, no gateway 3, help 0', async () => {
    expect(await run('nonsense')).toMatchObject({ code: 2, err: saying('there is no command "nonsense"') });
    expect((await run('status --nonsense')).code).toBe(2);
    expect((await run('drain --wait soon')).code).toBe(2);
    expect((await run('status --json --url nowhere')).json.error.code).toBe('wrong-usage');
    expect(await run(`status --url http://127.0.0.1:${await freePort()}`)).toMatchObject({
      code: 3,
      err: saying('no gateway answers at'),
    });
    expect((await run('--help')).out).toContain('writes retry ID');
    expect((await run('drain --help')).out).toContain('--wait SECONDS');
  });

  it('runs as a program', () => {
    const script = join(__dirname, '../../dist/apps/gateway/src/command-line/main.js');
    const env = { PATH: process.env.PATH, GATEWAY_URL: stack.gateways[0].baseUrl, ...OPERATOR };
    const { status, stdout } = spawnSync(process.execPath, [script, 'quota', 'show', '--json'], { env, encoding: 'utf8' });
    expect([status, (JSON.parse(stdout) as { quotas: unknown[] }).quotas.length]).toEqual([0, 1]);
  });
});

/** Several accounts of the real service, against a mock that counts them apart; tokens come from its token endpoint. */
import { randomUUID } from 'node:crypto';
import { HttpService } from '@nestjs/axios';
import { startApp, type App } from '@app/local-stack';
import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { QuotaLedger } from '@app/quota';
import {
  AccountPool,
  CIRCUIT_OPTIONS,
  httpModuleOptions,
  loadAccounts,
  UpstreamClient,
  type UpstreamAnswer,
} from '@app/sheets-client';
import axios from 'axios';
import { QuotaGate } from '../../apps/gateway/src/core/quota-gate';
import { accountFiles } from './account-files';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve'];
const READ = {
  lane: 'direct',
  access: 'read',
  method: 'GET',
  path: '/v4/spreadsheets/mock-spreadsheet?fields=spreadsheetId',
} as const;

describe('Several accounts', () => {
  const files = accountFiles();
  let mock: App;
  let redis: RedisClient;
  beforeAll(async () => {
    mock = await startApp({
      name: 'sheets-mock',
      env: { MOCK_QUOTA: 'google', MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0' },
    });
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(async () => {
    await mock.stop();
    await closeRedis(redis);
    files.remove();
  });
  beforeEach(async () => {
    await control('POST', 'reset', {});
    // Sliding: a test that runs over the full minute would otherwise get places of two.
    await control('PUT', 'quota', { model: 'google', window: 'sliding' });
  });

  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${mock.baseUrl}/control/${path}`, { method, body: body && JSON.stringify(body) });
    expect(response.status).toBe(200);
    return await response.json();
  }

  /** A client as the gateway has it, except that direct calls may use the whole quota. */
  function clientOf(names: readonly string[]): UpstreamClient {
    const accounts = loadAccounts({
      files: names.map((name) => files.account(name, `${mock.baseUrl}/token`)),
      applicationDefault: false,
    });
    const ledger = new QuotaLedger({
      redis,
      keyPrefix: `test:${randomUUID()}:`,
      quotas: 'google',
      users: accounts.map(({ id }) => id),
      redisAnswerMs: 5_000,
      triggerRatio: 1,
      hardMaxShare: 1,
      lanes: { drain: { ceiling: 0.4, floor: 0 }, cold: { floor: 0 } },
    });
    // All calls at once: what holds them back here is to be the quota alone.
    const circuit = { ...CIRCUIT_OPTIONS, callsAtOnceMax: Infinity };
    const options = { baseUrl: mock.baseUrl, timeoutMs: 15_000, circuit };
    // The library's types as a module and as CommonJS are two to the compiler.
    const http = new HttpService(axios.create(httpModuleOptions(options) as object) as unknown as HttpService['axiosRef']);
    return new UpstreamClient(http, new QuotaGate(ledger), new AccountPool(accounts), options);
  }

  const kindsOf = (answers: readonly UpstreamAnswer<unknown>[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { kind } of answers) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  };
  const statuses = async (): Promise<Record<string, number>> => {
    const { calls } = (await control('GET', 'calls')) as { calls: { status: number }[] };
    const counts: Record<string, number> = {};
    for (const { status } of calls) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const many = async (client: UpstreamClient, count: number): Promise<UpstreamAnswer<unknown>[]> =>
    await Promise.all(Array.from({ length: count }, () => client.call(READ)));

  it('lift 60 reads a minute to the 300 of their project, and the upstream refuses none', async () => {
    expect(kindsOf(await many(clientOf(NAMES.slice(0, 1)), 65))).toEqual({ answered: 60, refused: 5 });
    await control('POST', 'reset', { quota: true, calls: true });
    await control('PUT', 'quota', { model: 'google', window: 'sliding' });
    expect(kindsOf(await many(clientOf(NAMES), 310))).toEqual({ answered: 300, refused: 10 });
    expect(await statuses()).toEqual({ 200: 300 });
  });

  it('leave a spreadsheet alone that is not shared with them: one refusal, then the others call', async () => {
    await control('PUT', 'access', {
      sharing: { 'mock-spreadsheet': { [files.emailOf('bob')]: 'writer', [files.emailOf('cyd')]: 'reader' } },
    });
    const client = clientOf(['ann', 'bob', 'cyd']);
    for (let call = 0; call < 30; call += 1) expect(await client.call(READ)).toMatchObject({ kind: 'answered' });
    expect(await statuses()).toEqual({ 200: 30, 403: 1 });
    expect(kindsOf(await many(client, 100))).toEqual({ answered: 90, refused: 10 });

    const write = { ...READ, access: 'write', method: 'POST', path: '/v4/spreadsheets/mock-spreadsheet:batchUpdate' } as const;
    const body = { requests: [{ updateSheetProperties: { properties: { sheetId: 0, title: 'orders' }, fields: 'title' } }] };
    for (let call = 0; call < 5; call += 1) expect(await client.call({ ...write, body })).toMatchObject({ kind: 'answered' });
    expect((await statuses())[403]).toBeLessThanOrEqual(2);
  });

  it('sign in anew where their tokens have ended sooner than was said', async () => {
    await control('PUT', 'access', { requireCredentials: true });
    const client = clientOf(['ann']);
    expect(await client.call(READ)).toMatchObject({ kind: 'answered' });
    await control('PUT', 'clock', { advanceMs: 3_600_000 });
    expect(await client.call(READ)).toMatchObject({ kind: 'answered' });
    expect(await statuses()).toEqual({ 200: 2, 401: 1 });
  });
});

import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { readGoogleRefusal } from '../http/google-refusal';
import { quotaHeaders } from '../http/quota-headers';
import { startTestLedger } from '../testing/test-ledger';
import type { QuotaOptions } from './quota-options';
import type { ReserveResult } from './reservation';

/** Direct calls may use the whole of Google's quotas: for what is counted, not for how it is shared. */
const WHOLE: Partial<QuotaOptions> = {
  quotas: 'google',
  triggerRatio: 1,
  hardMaxShare: 1,
  lanes: { drain: { ceiling: 0.4, floor: 0 }, cold: { floor: 0 } },
};

const GOOGLE_429 = (quotaLimit: string, value: string): object => ({
  error: {
    code: 429,
    message: 'Quota exceeded',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'RATE_LIMIT_EXCEEDED',
        domain: 'googleapis.com',
        metadata: { quota_limit: quotaLimit, quota_limit_value: value, quota_metric: 'sheets.googleapis.com/any' },
      },
    ],
  },
});

describe('Several quotas of one call', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  it('[001] are taken together: the 61st read of a user is refused though the project has room', async () => {
    const { ledger } = await startTestLedger(redis, WHOLE);
    const kind = { access: 'read', user: 'robot' } as const;
    for (let call = 1; call <= 60; call += 1) expect((await ledger.reserve('direct', kind)).granted).toBe(true);
    expect(await ledger.reserve('direct', kind)).toMatchObject({ granted: false, refusal: { quotaId: 'read-user:robot' } });
    const status = await ledger.status(0, kind);
    // The refusal has left no trace in the quota that would have granted it.
    expect(status.all.map(({ quotaId, consumed }) => [quotaId, consumed])).toEqual([
      ['read-project', 60],
      ['read-user:robot', 60],
    ]);
    expect(status).toMatchObject({ quotaId: 'read-user:robot', remaining: 0 });
    expect((await ledger.reserve('direct', { access: 'read', user: 'other' })).granted).toBe(true);
  });

  it('[002] count reads and writes apart: 55 of each pass in one minute', async () => {
    const { ledger } = await startTestLedger(redis, WHOLE);
    for (const access of ['read', 'write'] as const)
      for (let call = 1; call <= 55; call += 1)
        expect((await ledger.reserve('direct', { access, user: 'u1' })).granted).toBe(true);
  });

  describe('and several users', () => {
    const users = ['ann', 'bob', 'cyd', 'dan', 'eve'];
    const read = { access: 'read' } as const;
    const callers = (results: readonly ReserveResult[]): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const result of results)
        if (result.granted) counts[result.reservation.user] = (counts[result.reservation.user] ?? 0) + 1;
      return counts;
    };

    it('lift 60 a minute to 300: who has most room makes the call, also where all come at once', async () => {
      const { ledger } = await startTestLedger(redis, { ...WHOLE, users });
      for (let call = 0; call < 20; call += 1) await ledger.reserve('direct', { ...read, user: call % 2 === 0 ? 'ann' : 'bob' });
      const results = await Promise.all(Array.from({ length: 290 }, () => ledger.reserve('direct', read)));
      expect(callers(results)).toEqual({ ann: 50, bob: 50, cyd: 60, dan: 60, eve: 60 });
      const refused = results.filter((result) => !result.granted);
      expect(refused).toHaveLength(10);
      expect(refused[0]).toMatchObject({ refusal: { quotaId: 'read-project' } });
    });

    it('refuse where none of those who may make the call has room', async () => {
      const { ledger } = await startTestLedger(redis, { ...WHOLE, users });
      const among = ['ann', 'bob'];
      const results = await Promise.all(Array.from({ length: 121 }, () => ledger.reserve('direct', { ...read, among })));
      expect(callers(results)).toEqual({ ann: 60, bob: 60 });
      expect((await ledger.peek('direct', { ...read, among }))?.quotaId).toMatch(/^read-user:/);
      expect(await ledger.peek('direct', read)).toBeUndefined();
    });

    it('leave out one that the upstream has refused while its quota is closed', async () => {
      const { ledger } = await startTestLedger(redis, { ...WHOLE, users: ['ann', 'bob'] });
      await ledger.reportRefusedByUpstream({ ...read, user: 'ann' }, GOOGLE_429('ReadRequestsPerMinutePerUser', '60'));
      const results = await Promise.all(Array.from({ length: 4 }, () => ledger.reserve('direct', read)));
      expect(callers(results)).toEqual({ bob: 4 });
    });

    it('are told to clients as one, without their names', async () => {
      const { ledger } = await startTestLedger(redis, { ...WHOLE, users });
      for (let call = 0; call < 7; call += 1) await ledger.reserve('direct', read);
      const headers = quotaHeaders(await ledger.status(), { degraded: false });
      expect(headers['X-Quota-Consumed']).toBe('7');
      expect(headers['RateLimit-Policy']).toBe(
        '"read-project";q=300;w=60, "read-user";q=300;w=60, "write-project";q=300;w=60, "write-user";q=300;w=60',
      );
      expect(headers.RateLimit).toContain('"read-user";r=293;t=');
    });
  });

  it('[007] are closed one by one: a refusal closes the quota it names and teaches its true limit, until taken back', async () => {
    const { ledger, clock } = await startTestLedger(redis, WHOLE);
    const write = { access: 'write', user: 'u1' } as const;
    const learnt = await ledger.reportRefusedByUpstream(write, GOOGLE_429('WriteRequestsPerMinutePerUser', '120'));
    expect(learnt).toMatchObject({ quotaId: 'write-user:u1', configuredLimit: 60, learntLimit: 120, limit: 120 });
    expect(learnt.closedForMs).toBeGreaterThan(0);

    expect(await ledger.reserve('direct', write)).toMatchObject({
      granted: false,
      refusal: { quotaId: 'write-user:u1', reason: 'closed' },
    });
    expect((await ledger.reserve('direct', { access: 'read', user: 'u1' })).granted).toBe(true);
    expect((await ledger.reserve('direct', { access: 'write', user: 'u2' })).granted).toBe(true);

    await ledger.forgetLearnt('write-user:u1');
    expect((await ledger.status(0, write)).all.find(({ quotaId }) => quotaId === 'write-user:u1')).toMatchObject({
      limit: 60,
      closedForMs: 0,
    });
    await clock.advance(21_000);
    expect((await ledger.reserve('direct', write)).granted).toBe(true);
  });

  it('[007] never learn a limit above the configured cap', async () => {
    const quotas = [{ id: 'capped', limit: 60, windowMs: 60_000, access: 'any', per: 'project', learntLimitMax: 80 } as const];
    const { ledger } = await startTestLedger(redis, { quotas });
    expect(await ledger.reportRefusal({ kind: { access: 'read' }, limitValue: 8_000 })).toMatchObject({ learntLimit: 80 });
  });

  it('[018] are told apart from a missing permission, which also comes as 403', () => {
    const forbidden = (reason: string): object => ({ error: { code: 403, status: 'PERMISSION_DENIED', errors: [{ reason }] } });
    expect(readGoogleRefusal(forbidden('userRateLimitExceeded'))).toEqual({});
    expect(readGoogleRefusal(forbidden('insufficientPermissions'))).toBeUndefined();
    expect(readGoogleRefusal(GOOGLE_429('ReadRequestsPerMinutePerUser', '60'))).toEqual({
      metric: 'sheets.googleapis.com/any',
      quotaName: 'ReadRequestsPerMinutePerUser',
      limitValue: 60,
    });
    expect(readGoogleRefusal('<html>')).toBeUndefined();
  });
});

import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { readGoogleRefusal } from '../http/google-refusal';
import { startTestLedger } from '../testing/test-ledger';
import type { QuotaOptions } from './quota-options';

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

  it('tell which of several users has most room', async () => {
    const { ledger } = await startTestLedger(redis, WHOLE);
    for (let call = 0; call < 3; call += 1) await ledger.reserve('direct', { access: 'read', user: 'ann' });
    await ledger.reserve('direct', { access: 'read', user: 'bob' });
    expect(await ledger.userWithMostRoom('read', ['ann', 'bob'])).toBe('bob');
    expect(await ledger.userWithMostRoom('read', ['ann', 'new', 'bob'])).toBe('new');
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

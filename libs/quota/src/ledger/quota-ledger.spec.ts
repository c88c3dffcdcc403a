import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import type { QuotaLedger } from './quota-ledger';
import type { Reservation } from './reservation';
import { onlyDirect, startTestLedger } from '../testing/test-ledger';

const READ = { access: 'read' } as const;
const WRITE = { access: 'write' } as const;

describe('The ledger', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  async function granted(
    ledger: QuotaLedger,
    lane: Parameters<QuotaLedger['reserve']>[0],
    kind = READ as never,
  ): Promise<Reservation> {
    const result = await ledger.reserve(lane, kind);
    if (!result.granted) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
    return result.reservation;
  }

  it('lets exactly 150 direct calls of 300 pass, and is degraded from the 151st', async () => {
    const { ledger } = await startTestLedger(redis);
    for (let call = 1; call <= 150; call += 1) {
      const result = await ledger.reserve('direct', READ);
      expect(result.granted).toBe(true);
      expect(result.status.mode).toBe('direct');
    }
    const refused = await ledger.reserve('direct', WRITE);
    expect(refused).toMatchObject({
      granted: false,
      refusal: { quotaId: 'case-study', lane: 'direct', reason: 'ceiling', consumed: 150, limit: 300, mode: 'degraded' },
      status: { mode: 'degraded', consumed: 150, remaining: 150 },
    });
  });

  it('[011] [100] gives the last places to exactly as many of those who ask at once', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(5));
    const other = await startTestLedger(redis, onlyDirect(5), clock);
    const asked = Array.from({ length: 100 }, (_, index) => (index % 2 ? ledger : other.ledger).reserve('direct', READ));
    expect((await Promise.all(asked)).filter((result) => result.granted)).toHaveLength(5);
  });

  it('[099] counts calls of one and the same millisecond one by one', async () => {
    const { ledger } = await startTestLedger(redis, onlyDirect(60));
    const results = await Promise.all(Array.from({ length: 200 }, () => ledger.reserve('direct', READ)));
    expect(results.filter((result) => result.granted)).toHaveLength(60);
  });

  it('[104] does not count what has left the window', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(5));
    const calls = await Promise.all(Array.from({ length: 5 }, () => granted(ledger, 'direct')));
    await Promise.all(calls.map((call) => call.settle()));
    await clock.advance(61_000);
    expect((await ledger.reserve('direct', READ)).granted).toBe(true);
  });

  it('counts a call until one window after its answer, not after its start', async () => {
    const { ledger, clock } = await startTestLedger(redis, { ...onlyDirect(1), minDegradedMs: 1 });
    const call = await granted(ledger, 'direct');
    await clock.advance(9_000);
    await call.settle();
    await clock.advance(60_000);
    expect((await ledger.reserve('direct', READ)).granted).toBe(false);
    await clock.advance(1);
    expect((await ledger.reserve('direct', READ)).granted).toBe(true);
  });

  it('keeps a call that never gets an answer for its lease and one window, and then frees its place by itself', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(1));
    await granted(ledger, 'direct');
    await clock.advance(15_000 + 60_000);
    expect((await ledger.status(0)).consumed).toBe(1);
    await clock.advance(1);
    expect((await ledger.status(0)).consumed).toBe(0);
  });

  it('settles once, however often it is told', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(1));
    const call = await granted(ledger, 'direct');
    await call.settle();
    await clock.advance(30_000);
    await call.settle();
    await call.release();
    await clock.advance(30_001);
    expect((await ledger.status(0)).consumed).toBe(0);
  });

  it('counts a late answer again whose lease has already ended', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(1));
    const call = await granted(ledger, 'direct');
    await clock.advance(80_000);
    expect((await ledger.status(0)).consumed).toBe(0);
    await call.settle();
    expect((await ledger.status(0)).consumed).toBe(1);
  });

  it('gives a released place back at once', async () => {
    const { ledger } = await startTestLedger(redis, onlyDirect(1));
    const call = await granted(ledger, 'direct');
    expect((await ledger.reserve('direct', READ)).granted).toBe(false);
    await call.release();
    expect((await ledger.status(0)).consumed).toBe(0);
    await call.settle();
    expect((await ledger.status(0)).consumed).toBe(0);
  });

  it('says when a place can be free: no call in flight frees one before a whole window', async () => {
    const { ledger, clock } = await startTestLedger(redis, { ...onlyDirect(2), minDegradedMs: 1 });
    const first = await granted(ledger, 'direct');
    await granted(ledger, 'direct');
    await first.settle();
    await clock.advance(10_000);
    const refused = await ledger.reserve('direct', READ);
    // Below the exit (one call of two) nothing may be left: the second is in flight, and so stays a whole window from now.
    expect(refused).toMatchObject({ granted: false, refusal: { reason: 'hard-max', retryInMs: 60_001 } });
  });
});

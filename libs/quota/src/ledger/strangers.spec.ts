import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { startTestLedger } from '../testing/test-ledger';

const READ = { access: 'read' } as const;

describe('Strangers on our quota', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  it('[004] lower our ceiling by what they must have used, for all to see, and are forgotten slowly', async () => {
    const { ledger, clock } = await startTestLedger(redis);
    for (let call = 0; call < 20; call += 1) {
      const result = await ledger.reserve('direct', READ);
      if (result.granted) await result.reservation.settle();
    }
    await clock.advance(10);
    const noticed = await ledger.reportRefusedByUpstream(READ);
    expect(noticed).toMatchObject({ consumed: 20, limit: 300, foreignCalls: 280, limitInForce: 20, closedForMs: 5_000 });

    // The estimate stands for one window, then fades over two.
    await clock.advance(60_000);
    expect(await ledger.status(0)).toMatchObject({ foreignCalls: 280, closedForMs: 0 });
    await clock.advance(60_000);
    expect(await ledger.status(0)).toMatchObject({ foreignCalls: 140, limitInForce: 160 });
    await clock.advance(60_000);
    expect(await ledger.status(0)).toMatchObject({ foreignCalls: 0, limitInForce: 300 });
  });

  it('move the trigger with the limit in force', async () => {
    const { ledger, clock } = await startTestLedger(redis, { rampMs: 1 });
    for (let call = 0; call < 60; call += 1) {
      const result = await ledger.reserve('direct', READ);
      if (result.granted) await result.reservation.settle();
    }
    await clock.advance(100);
    // 60 of ours were answered, so 240 were theirs: of the 60 left, half is for direct calls.
    expect(await ledger.reportRefusedByUpstream(READ)).toMatchObject({ limitInForce: 60, mode: 'degraded' });
    await clock.advance(60_000);
    let granted = 0;
    while ((await ledger.reserve('direct', READ)).granted) granted += 1;
    expect(granted).toBe(30);
  });

  it('[014] close the quota for all at once and for twice as long each time, with a slow reopening', async () => {
    const { ledger, clock } = await startTestLedger(redis);
    const other = await startTestLedger(redis, {}, clock);
    await ledger.reportRefusedByUpstream(READ);
    expect(await other.ledger.reserve('drain', READ)).toMatchObject({
      granted: false,
      refusal: { reason: 'closed', retryInMs: 5_000 },
    });
    // An answer to a call that was on its way when the quota closed is no news.
    await clock.advance(4_000);
    expect(await ledger.reportRefusedByUpstream(READ)).toMatchObject({ closedForMs: 1_000 });
    await clock.advance(1_000);
    expect((await other.ledger.reserve('drain', READ)).granted).toBe(true);
    expect(await other.ledger.reserve('drain', READ)).toMatchObject({ granted: false, refusal: { reason: 'ramp' } });
    expect(await ledger.reportRefusedByUpstream(READ)).toMatchObject({ closedForMs: 10_000 });
    await clock.advance(10_000);
    expect(await ledger.reportRefusedByUpstream(READ)).toMatchObject({ closedForMs: 20_000 });
  });

  it('are not suspected where our own count explains the refusal', async () => {
    const { ledger } = await startTestLedger(redis, { enforce: false });
    for (let call = 0; call < 300; call += 1) {
      const result = await ledger.reserve('direct', READ);
      if (result.granted) await result.reservation.settle();
    }
    expect(await ledger.reportRefusedByUpstream(READ)).toMatchObject({ foreignCalls: 0, limitInForce: 300, closedForMs: 5_000 });
  });
});

import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import { onlyDirect, startTestLedger } from '../testing/test-ledger';

const READ = { access: 'read' } as const;

describe('A process that was refused', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  /** How many scripts Redis is asked to run while `act` runs. */
  async function scriptsDuring(act: () => Promise<unknown>): Promise<number> {
    const sent = jest.spyOn(redis, 'sendCommand');
    try {
      await act();
      return sent.mock.calls.filter(([command]) => /^eval/i.test(command.name)).length;
    } finally {
      sent.mockRestore();
    }
  }

  it('does not ask again before the answer can change: no round trip, whoever asks', async () => {
    const { ledger } = await startTestLedger(redis, onlyDirect(1));
    await ledger.reserve('direct', READ);
    await ledger.reserve('direct', READ);
    const scripts = await scriptsDuring(() => Promise.all(Array.from({ length: 500 }, () => ledger.reserve('direct', READ))));
    expect(scripts).toBe(0);
    expect(ledger.metrics()).toMatchObject({ answeredFromMemory: 500, reservations: { direct: { granted: 1 } } });
  });

  it('asks once for all who wait, at the latest after a second', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(1));
    await ledger.reserve('direct', READ);
    await ledger.reserve('direct', READ);
    await clock.advance(1_000);
    const scripts = await scriptsDuring(() => Promise.all(Array.from({ length: 50 }, () => ledger.reserve('direct', READ))));
    expect(scripts).toBe(1);
  });

  it('hears of a place that another process gave back within that second', async () => {
    const { ledger, clock } = await startTestLedger(redis, { ...onlyDirect(1), minDegradedMs: 1 });
    const { ledger: other } = await startTestLedger(redis, { ...onlyDirect(1), minDegradedMs: 1 }, clock);
    const result = await other.reserve('direct', READ);
    expect((await ledger.reserve('direct', READ)).granted).toBe(false);
    if (result.granted) await result.reservation.release();
    await clock.advance(1_000);
    expect((await ledger.reserve('direct', READ)).granted).toBe(true);
  });

  it('measures how long a freed place stayed unused', async () => {
    const { ledger, clock } = await startTestLedger(redis, { ...onlyDirect(1), minDegradedMs: 1 });
    const result = await ledger.reserve('direct', READ);
    if (result.granted) await result.reservation.settle();
    await ledger.reserve('direct', READ);
    await clock.advance(60_001 + 250);
    expect((await ledger.reserve('direct', READ)).granted).toBe(true);
    expect(ledger.metrics().freedPlaceUnusedMs).toEqual({ count: 1, sum: 250, max: 250 });
  });

  it('shares one reading of the status among all who want to know it', async () => {
    const { ledger } = await startTestLedger(redis);
    expect(await scriptsDuring(() => Promise.all(Array.from({ length: 100 }, () => ledger.status())))).toBe(1);
  });
});

describe('Shadow mode', () => {
  it('counts everything, refuses nothing, and tells what it would have refused', async () => {
    const redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
    const { ledger } = await startTestLedger(redis, { ...onlyDirect(2), enforce: false });
    for (let call = 0; call < 3; call += 1) expect((await ledger.reserve('direct', READ)).granted).toBe(true);
    expect(await ledger.reserve('direct', READ)).toMatchObject({ granted: true, shadowRefusal: { quotaId: 'only' } });
    expect((await ledger.status(0)).consumed).toBe(4);
    expect(ledger.metrics().reservations.direct).toEqual({ granted: 2, 'would-refuse': 2 });
    await closeRedis(redis);
  });
});

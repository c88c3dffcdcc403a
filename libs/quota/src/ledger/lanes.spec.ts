import { closeRedis, connectRedis, waitUntilReady, type RedisClient } from '@app/platform';
import type { Lane } from '../policy/lane';
import { onlyDirect, startTestLedger } from '../testing/test-ledger';
import type { QuotaLedger } from './quota-ledger';

const READ = { access: 'read' } as const;

describe('Lanes and mode', () => {
  let redis: RedisClient;
  beforeAll(async () => {
    redis = connectRedis(process.env.TEST_REDIS_URL as string, 'request');
    await waitUntilReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));

  /** Asks until refused; gives the number granted and why it ended. */
  async function fill(ledger: QuotaLedger, lane: Lane): Promise<[number, string]> {
    for (let granted = 0; ; granted += 1) {
      const result = await ledger.reserve(lane, READ);
      if (!result.granted) return [granted, result.refusal.reason];
      await result.reservation.settle();
    }
  }

  it('give the drain its floor when direct calls have filled all that they may', async () => {
    const { ledger } = await startTestLedger(redis);
    expect(await fill(ledger, 'direct')).toEqual([150, 'ceiling']);
    expect(await fill(ledger, 'drain')).toEqual([30, 'ceiling']);
    expect(await fill(ledger, 'cold')).toEqual([60, 'own-max']);
    expect(await fill(ledger, 'refresh')).toEqual([0, 'ceiling']);
  });

  it.each([
    ['drain', 90, 'own-max'],
    ['refresh', 90, 'ceiling'],
    ['cold', 60, 'own-max'],
  ] as const)('never let %s alone hold the system in degraded mode', async (lane, most, reason) => {
    const { ledger } = await startTestLedger(redis);
    expect(await fill(ledger, lane)).toEqual([most, reason]);
    expect((await ledger.status(0)).mode).toBe('direct');
  });

  it('keep a floor free while its lane has demand, and no longer', async () => {
    const { ledger, clock } = await startTestLedger(redis, {
      quotas: [{ id: 'small', limit: 100, windowMs: 60_000, access: 'any', per: 'project' }],
      lanes: { direct: { ceiling: 0.9 }, drain: { floor: 0.1 } },
      triggerRatio: 0.9,
    });
    await ledger.peek('drain', READ);
    expect(await fill(ledger, 'direct')).toEqual([80, 'floor-of-others']);
    await clock.advance(2_000);
    expect(await ledger.peek('cold', READ)).toBeUndefined();
  });

  it('stay degraded for 20 s at least, and until the total is below the exit', async () => {
    const { ledger, clock } = await startTestLedger(redis);
    await fill(ledger, 'direct');
    await clock.advance(19_999);
    expect((await ledger.status(0)).mode).toBe('degraded');
    await clock.advance(40_001);
    expect((await ledger.status(0)).mode).toBe('degraded');
    await clock.advance(1);
    expect((await ledger.status(0)).mode).toBe('direct');
    expect((await ledger.status(0)).modeChanges).toBe(2);
  });

  it('a change of the mode is told once to each process that hears of it', async () => {
    const heard: string[] = [];
    const hear = (process: string) => ({
      onModeChange: ({ quotaId, mode }: { quotaId: string; mode: string }) => void heard.push(`${process} ${quotaId} ${mode}`),
    });
    const first = await startTestLedger(redis, { ...hear('first'), ...onlyDirect(4), triggerRatio: 0.5 });
    const second = await startTestLedger(redis, { ...hear('second'), ...onlyDirect(4), triggerRatio: 0.5 }, first.clock);
    await second.ledger.status(0);
    for (let call = 0; call < 4; call += 1) await first.ledger.reserve('direct', READ);
    for (let ask = 0; ask < 2; ask += 1) await second.ledger.status(0);
    expect(heard).toEqual(['first only degraded', 'second only degraded']);
  });

  it('[103] let a client that asks every second have its five calls a minute, since refusals do not count', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(5));
    let granted = 0;
    for (let second = 0; second < 600; second += 1) {
      const result = await ledger.reserve('direct', READ);
      if (result.granted) {
        granted += 1;
        await result.reservation.settle();
      }
      await clock.advance(1_000);
    }
    // Ten minutes; each window ends a moment after its last answer, which the client notices a second later.
    expect(granted).toBeGreaterThanOrEqual(45);
    expect(granted).toBeLessThanOrEqual(50);
  });

  it('[014] let queued writes through that were refused and kept asking', async () => {
    const { ledger, clock } = await startTestLedger(redis, {
      ...onlyDirect(5),
      lanes: { drain: { ceiling: 0.4, ownMax: 1, floor: 0 }, cold: { floor: 0 } },
    });
    let waiting = 8;
    for (let second = 0; second < 300 && waiting > 0; second += 1) {
      for (let write = waiting; write > 0; write -= 1) {
        const result = await ledger.reserve('drain', READ);
        if (!result.granted) break;
        waiting -= 1;
        await result.reservation.settle();
      }
      await clock.advance(1_000);
    }
    expect(waiting).toBe(0);
  });

  it('[101] count by the clock of Redis, whatever the clocks of the nodes say', async () => {
    const { ledger, clock } = await startTestLedger(redis, onlyDirect(4));
    const { ledger: slow } = await startTestLedger(redis, onlyDirect(4), clock);
    const wall = jest.spyOn(Date, 'now');
    const arrivals: number[] = [];
    try {
      for (let step = 0; step < 130; step += 1) {
        const isSlow = step % 2 === 1;
        wall.mockReturnValue(clock.nowMs - (isSlow ? 10_000 : 0));
        const result = await (isSlow ? slow : ledger).reserve('direct', READ);
        if (result.granted) {
          arrivals.push(clock.nowMs);
          await result.reservation.settle();
        }
        await clock.advance(1_000);
      }
    } finally {
      wall.mockRestore();
    }
    for (const from of arrivals) expect(arrivals.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(4);
    expect(arrivals.length).toBeGreaterThanOrEqual(8);
  });
});

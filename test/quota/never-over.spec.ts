import { runQuotaProof, type QuotaProofResult, type QuotaProofSettings } from '@app/proof';

/** The proof of `npm run prove:quota`, with window and limit scaled down. */
describe('the quota as the upstream counts it', () => {
  const settings: QuotaProofSettings = {
    durationMs: 12_000,
    gateways: 2,
    clients: 40,
    kills: true,
    limit: 40,
    windowMs: 4_000,
    thinkMs: 500,
    seed: 4,
    enforce: true,
    print: () => undefined,
  };
  const run = (changes: Partial<QuotaProofSettings> = {}): Promise<QuotaProofResult> =>
    runQuotaProof({ ...settings, ...changes });

  it('is never exceeded by gateways that are killed in the middle of calls, and is used all the same', async () => {
    const { calls, refused, worst, kills, load } = await run();
    expect(kills).toBeGreaterThan(0);
    expect(refused).toBe(0);
    expect(worst).toBeLessThanOrEqual(40);
    expect(calls).toBeGreaterThan(20);
    expect(load.unexpected).toEqual([]);
  }, 90_000);

  it('would be exceeded if the gateways only counted: the proof can see', async () => {
    const { refused, worst } = await run({ enforce: false, kills: false });
    expect(refused + Math.max(0, worst - 40)).toBeGreaterThan(0);
  }, 90_000);
});

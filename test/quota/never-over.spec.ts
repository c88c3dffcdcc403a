import { runQuotaProof, type QuotaProofSettings } from '@app/proof';

/** `npm run prove:quota` with window and limit scaled down, and with gateways that go as near to the limit as they may. */
describe('the quota as the upstream counts it', () => {
  const settings: QuotaProofSettings = {
    durationMs: 7_000,
    gateways: 2,
    clients: 40,
    thinkMs: 500,
    preset: 'case-study',
    limit: 40,
    windowMs: 4_000,
    triggerRatio: 0.9,
    upstreamTimeoutMs: 1_000,
    enforce: true,
    seed: 4,
    progressEveryMs: 5_000,
    print: () => undefined,
  };

  it('is never exceeded by gateways that are killed in the middle of calls, is used all the same, and their places come back', async () => {
    const result = await runQuotaProof({ ...settings, killEveryMs: 2_000 });
    expect(result.problems).toEqual([]);
    expect(result.calls.refused).toBe(0);
    expect(result.slices).toEqual([expect.objectContaining({ name: 'all calls', limit: 40 })]);
    expect(result.slices[0].worst).toBeLessThanOrEqual(40);
    expect(result.slices[0].worst).toBeGreaterThan(20);
    expect(Object.values(result.kills).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(result.places?.backAfterMs).toBeDefined();
    expect(Object.keys(result.answers).every((status) => ['200', '201', '202'].includes(status))).toBe(true);
  }, 90_000);

  it('would be exceeded if the gateways only counted: the proof can see', async () => {
    const { problems, calls, slices } = await runQuotaProof({ ...settings, durationMs: 4_000, enforce: false });
    expect(calls.refused).toBeGreaterThan(0);
    expect(slices[0].worst).toBeGreaterThan(40);
    expect(problems.join('\n')).toMatch(/429[^]*all calls: \d+ in one window, of 40/);
  }, 90_000);
});

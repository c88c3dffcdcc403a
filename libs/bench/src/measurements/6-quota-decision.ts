/** What one decision of the quota costs: a granted call (reserve and settle), a refusal that is remembered, and the fast reads' look. */
import { startPrivateRedis } from '@app/local-stack';
import { closeRedis, connectRedis, monotonicMs } from '@app/platform';
import { QuotaLedger } from '@app/quota';
import type { Figure, Measurement } from '../measurement';

const GRANTED = 2_000;
const REMEMBERED = 200_000;
const TOGETHER = 16;

export const quotaDecision: Measurement = {
  number: 6,
  title: 'cost of a quota decision',
  async measure(bench) {
    const redis = bench.keep(await startPrivateRedis());
    const client = connectRedis(redis.url, 'worker');
    bench.keep({ stop: () => closeRedis(client) });
    const quotas = [{ id: 'bench', limit: 1_000_000, windowMs: 60_000, access: 'any', per: 'project' }] as const;
    const direct = new QuotaLedger({ redis: client, keyPrefix: 'bench-direct', quotas });
    const refused = new QuotaLedger({ redis: client, keyPrefix: 'bench-refused', quotas: 'case-study', recheckMs: 1_900 });
    while ((await refused.reserve('direct', { access: 'read' })).granted);
    const figures: Figure[] = [
      await perCall('granted: reserve and settle, 16 callers together', GRANTED, TOGETHER, async () => {
        const result = await direct.reserve('direct', { access: 'read' });
        if (!result.granted) throw new Error(`refused: ${result.refusal.reason}`);
        await result.reservation.settle();
      }),
      await perCall('refused, remembered: reserve', REMEMBERED, 1, async () => {
        if ((await refused.reserve('direct', { access: 'read' })).granted) throw new Error('granted');
      }),
      await perCall('refused, remembered: what a fast read asks', REMEMBERED, 1, () => {
        refused.isKnownRefused('direct', 'read');
        return Promise.resolve();
      }),
    ];
    direct.close();
    refused.close();
    return figures;
  },
};

async function perCall(what: string, calls: number, together: number, one: () => Promise<void>): Promise<Figure> {
  const beganMs = monotonicMs();
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: together }, caller));
  const microseconds = ((monotonicMs() - beganMs) * 1_000) / calls;
  return { what: `quota decision, ${what}`, result: `${microseconds.toFixed(2)} µs`, details: { microseconds, calls } };
}

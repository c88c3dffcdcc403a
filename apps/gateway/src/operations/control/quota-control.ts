/** What operators see of the quotas, and may make the gateway forget. */
import { Injectable } from '@nestjs/common';
import { badInput } from '@app/platform';
import { QuotaLedger, type QuotaUsage, type SingleQuotaStatus } from '@app/quota';

export type QuotaReport = SingleQuotaStatus & Pick<QuotaUsage, 'lanes'>;

@Injectable()
export class QuotaControl {
  constructor(private readonly ledger: QuotaLedger) {}

  async report(): Promise<QuotaReport[]> {
    const [{ all }, usage] = await Promise.all([this.ledger.status(0), this.ledger.usage()]);
    return all.flatMap((status) => {
      const used = usage.find(({ quotaId }) => quotaId === status.quotaId);
      return used === undefined ? [] : [{ ...status, lanes: used.lanes }];
    });
  }

  /**
   * Forgets what was learnt from the upstream (limits, foreign use, closings) and decides the mode anew.
   * @param calls also the counted calls: until they have left the upstream's own window, it may refuse what we then send
   */
  async reset({ quota, calls }: { quota?: string; calls: boolean }): Promise<QuotaReport[]> {
    const known = (await this.ledger.status(0)).all.map(({ quotaId }) => quotaId);
    if (quota !== undefined && !known.includes(quota))
      throw badInput('unknown-quota', 'quota', `quota: found ${JSON.stringify(quota)}, expected one of ${known.join(', ')}`, 404);
    if (calls && quota !== undefined)
      throw badInput(
        'calls-of-all',
        'calls',
        'calls: found it with a quota, expected it alone: a call counts against several quotas',
      );
    if (calls) await this.ledger.reset();
    for (const quotaId of quota === undefined ? known : [quota]) await this.ledger.forgetLearnt(quotaId);
    return await this.report();
  }
}

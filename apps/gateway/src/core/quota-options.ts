import { QUOTA_PRESETS, type QuotaOptions } from '@app/quota';
import type { Redis } from 'ioredis';
import type { Configuration } from '../configuration';

/** The quota lib's options as this gateway's configuration says. */
export function quotaOptions(
  { quota, keyPrefix, upstream }: Configuration,
  redis: Redis,
  accountIds: readonly string[],
): QuotaOptions {
  const quotas =
    quota.preset === 'google'
      ? QUOTA_PRESETS.google
      : QUOTA_PRESETS['case-study'].map((definition) => ({ ...definition, limit: quota.limit, windowMs: quota.windowMs }));
  return {
    redis,
    keyPrefix,
    quotas,
    users: accountIds,
    triggerRatio: quota.triggerRatio,
    exitRatio: quota.exitRatio,
    minDegradedMs: quota.minDegradedMs,
    deadlineMs: upstream.timeoutMs,
    leaseMs: quota.leaseMs,
    enforce: quota.enforce,
  };
}

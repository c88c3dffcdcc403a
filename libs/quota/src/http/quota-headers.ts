/**
 * The headers of every answer, defined here and nowhere else. `RateLimit` and `RateLimit-Policy` follow
 * draft-ietf-httpapi-ratelimit-headers-10: `t` is the time until more can be available, `w` the window, both in seconds.
 */
import type { QuotaStatus } from '../ledger/quota-status';
import type { Answer } from './answer';

export const DEGRADED_REASON_DEFAULT = 'quota';

export function quotaHeaders(status: QuotaStatus | undefined, answer: Answer): Record<string, string> {
  const headers: Record<string, string> = { 'X-System-Degraded': String(answer.degraded) };
  if (answer.degraded) headers['X-Degraded-Reason'] = answer.reason ?? DEGRADED_REASON_DEFAULT;
  if (status === undefined) return headers;
  const list = (item: (quota: QuotaStatus['all'][number]) => string): string => status.all.map(item).join(', ');
  return {
    ...headers,
    'X-Quota-Consumed': String(status.consumed),
    RateLimit: list((quota) => `${quoted(quota.quotaId)};r=${quota.remaining};t=${seconds(quota.resetInMs)}`),
    'RateLimit-Policy': list((quota) => `${quoted(quota.quotaId)};q=${quota.limitInForce};w=${seconds(quota.windowMs)}`),
  };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** A structured field's string holds printable ASCII only. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

/**
 * The headers of every answer, defined here and nowhere else. `RateLimit` and `RateLimit-Policy` follow
 * draft-ietf-httpapi-ratelimit-headers-10: `t` is the time until more can be available, `w` the window, both in seconds.
 */
import { combined, type QuotaStatus, type SingleQuotaStatus } from '../ledger/quota-status';
import type { Answer } from './answer';

export const DEGRADED_REASON_DEFAULT = 'quota';

export function quotaHeaders(status: QuotaStatus | undefined, answer: Answer): Record<string, string> {
  const headers: Record<string, string> = { 'X-System-Degraded': String(answer.degraded) };
  if (answer.degraded) headers['X-Degraded-Reason'] = answer.reason ?? DEGRADED_REASON_DEFAULT;
  if (status === undefined) return headers;
  const { consumed, all } = combined(pooled(status.all));
  const list = (item: (quota: SingleQuotaStatus) => string): string => all.map(item).join(', ');
  return {
    ...headers,
    'X-Quota-Consumed': String(consumed),
    RateLimit: list((quota) => `${quoted(quota.quotaId)};r=${quota.remaining};t=${seconds(quota.resetInMs)}`),
    'RateLimit-Policy': list((quota) => `${quoted(quota.quotaId)};q=${quota.limitInForce};w=${seconds(quota.windowMs)}`),
  };
}

/**
 * Users share their work: a quota of each of several is told as one, the sum, under the name of its definition. Who they are is
 * nobody's business.
 */
function pooled(statuses: readonly SingleQuotaStatus[]): SingleQuotaStatus[] {
  const sums = new Map<string, SingleQuotaStatus>();
  for (const one of statuses) {
    const sum = sums.get(one.name);
    sums.set(one.name, sum === undefined ? one : together(sum, one));
  }
  return [...sums.values()];
}

function together(sum: SingleQuotaStatus, one: SingleQuotaStatus): SingleQuotaStatus {
  const resets = [sum, one].filter(({ consumed }) => consumed > 0).map(({ resetInMs }) => resetInMs);
  return {
    ...sum,
    quotaId: sum.name,
    consumed: sum.consumed + one.consumed,
    remaining: sum.remaining + one.remaining,
    limitInForce: sum.limitInForce + one.limitInForce,
    resetInMs: resets.length === 0 ? 0 : Math.min(...resets),
  };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** A structured field's string holds printable ASCII only. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

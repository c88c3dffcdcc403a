/**
 * What a Google API's refusal (429, or 403 with a rate-limit reason) says of the quota that it hit: the `ErrorInfo` among the
 * error's details, as google.rpc defines it. Undefined: the body is not a refusal for a quota.
 */
export interface GoogleQuotaRefusal {
  readonly metric?: string;
  readonly quotaName?: string;
  readonly limitValue?: number;
}

/** 403 bodies with these reasons mean "too many", not "not allowed". */
const RATE_REASONS = new Set(['RATE_LIMIT_EXCEEDED', 'rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded']);

interface ErrorBody {
  error?: {
    code?: unknown;
    status?: unknown;
    errors?: { reason?: unknown }[];
    details?: { reason?: unknown; metadata?: Record<string, unknown> }[];
  };
}

export function readGoogleRefusal(body: unknown): GoogleQuotaRefusal | undefined {
  const error = typeof body === 'object' && body !== null ? (body as ErrorBody).error : undefined;
  if (typeof error !== 'object' || error === null) return undefined;
  const details = Array.isArray(error.details) ? error.details : [];
  const errors = Array.isArray(error.errors) ? error.errors : [];
  const info = details.find((detail) => RATE_REASONS.has(String(detail?.reason)));
  const isRate = info !== undefined || errors.some((entry) => RATE_REASONS.has(String(entry?.reason)));
  if (!isRate && error.code !== 429 && error.status !== 'RESOURCE_EXHAUSTED') return undefined;
  const metadata = info?.metadata ?? {};
  const limitValue = Number(metadata.quota_limit_value);
  return {
    ...(typeof metadata.quota_metric === 'string' && { metric: metadata.quota_metric }),
    ...(typeof metadata.quota_limit === 'string' && { quotaName: metadata.quota_limit }),
    ...(Number.isSafeInteger(limitValue) && limitValue > 0 && { limitValue }),
  };
}

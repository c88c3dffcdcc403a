/**
 * The array `error.errors` of older Google APIs. On the Sheets API it comes with `$.xgafv=1`, and users of Google's own
 * clients report it too, so it is also given to those (inferred; an extra array breaks nobody).
 */
import type { GoogleErrorBody } from '@app/sheets-wire';

const GOOGLE_CLIENT = /google-api-(?:nodejs|java|php|dotnet|ruby|go)-client|google-api-client|gdcl\//i;

const REASONS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: 'badRequest',
  NOT_FOUND: 'notFound',
  PERMISSION_DENIED: 'forbidden',
  FAILED_PRECONDITION: 'failedPrecondition',
  RESOURCE_EXHAUSTED: 'rateLimitExceeded',
};

export function wantsLegacyErrors(xgafv: string | null, userAgent: string): boolean {
  return xgafv === '1' || GOOGLE_CLIENT.test(userAgent);
}

export function withLegacyErrors({ error }: GoogleErrorBody): unknown {
  const { code, message, status, details } = error;
  const isTyped = details?.some((detail) => detail['@type'].endsWith('BadRequest')) === true;
  const one = isTyped ? { message, reason: 'invalid' } : { message, domain: 'global', reason: REASONS[status] ?? 'backendError' };
  return { error: { code, message, errors: [one], status, ...(details ? { details } : {}) } };
}

/**
 * What a 403 of the Sheets API means. Source: recorded bodies of the service; the reasons are those of google.rpc.ErrorInfo.
 *
 * - `spreadsheet`: it is not shared with the account, or for reading only. Another account may be permitted.
 * - `api-disabled`: the account's project has not enabled the Sheets API.
 * - `scope`: the token was issued for something else.
 * - `other`: any other 403 that is not about a quota.
 */
export type PermissionProblem = 'spreadsheet' | 'api-disabled' | 'scope' | 'other';

interface ErrorBody {
  readonly error?: {
    readonly code?: number;
    readonly message?: string;
    readonly details?: readonly { readonly reason?: string; readonly metadata?: Readonly<Record<string, string>> }[];
  };
}

/** Undefined: the body does not say 403. */
export function parsePermissionError(body: unknown): PermissionProblem | undefined {
  const { error } = (body ?? {}) as ErrorBody;
  if (error?.code !== 403) return undefined;
  const reasons = (error.details ?? []).map(({ reason }) => reason);
  if (reasons.includes('SERVICE_DISABLED')) return 'api-disabled';
  if (reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT')) return 'scope';
  return /does not have permission/.test(error.message ?? '') ? 'spreadsheet' : 'other';
}

/** Where an operator enables the API for his project, as the service says. */
export function activationUrlIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as ErrorBody;
  return error?.details?.find(({ reason }) => reason === 'SERVICE_DISABLED')?.metadata?.activationUrl;
}

/** Refusals of the gateway in the service's own format, so that its clients understand them. */
import type { ErrorFacts } from '@app/platform';
import { googleError, type GoogleErrorBody } from '@app/sheets-wire';

/** Source: "Error model" of Google's APIs, google.rpc.Code. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'OUT_OF_RANGE',
  422: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** @param facts what the rows API would say; its code stands in `details` */
export function googleErrorOf({ code, status, message }: Pick<ErrorFacts, 'code' | 'status' | 'message'>): GoogleErrorBody {
  const detail = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'sheets-quota-gateway' };
  return googleError(status, STATUSES[status] ?? 'INTERNAL', message, [detail]);
}

/** Whether a request is for the Sheets v4 surface. */
export function isSheetsV4(url: string): boolean {
  return url.startsWith('/v4/');
}

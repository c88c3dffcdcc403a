import { CodedError } from '@app/platform';
import type { FetchOutcome } from './fetcher';
import type { Tab } from './tab-directory';

/** How long a client should wait where the upstream failed and nobody knows for how long. */
const RETRY_AFTER_FAILURE_MS = 5_000;

export function unknownSheetError(title: string, tabs: readonly Tab[]): CodedError {
  const titles = tabs.map((tab) => tab.title);
  return new CodedError({
    code: 'unknown-sheet',
    status: 404,
    field: 'sheet',
    message: `sheet: the spreadsheet has no tab ${JSON.stringify(title)}; its tabs are ${titles.map((name) => JSON.stringify(name)).join(', ')}`,
    details: { sheets: titles },
  });
}

/** The upstream said no for good: the client's error, told in our words with the upstream's reason. */
export function rejectionError(outcome: { status: number; message: string }, spreadsheetId: string): CodedError {
  const name = JSON.stringify(spreadsheetId);
  switch (outcome.status) {
    case 404:
      return new CodedError({
        code: 'unknown-spreadsheet',
        status: 404,
        field: 'spreadsheetId',
        message: `spreadsheetId: the upstream knows no spreadsheet ${name}`,
      });
    case 401:
    case 403:
      return new CodedError({
        code: 'no-permission',
        status: 403,
        field: 'spreadsheetId',
        message: `spreadsheetId: the gateway's account may not open ${name}: share the spreadsheet with it (${outcome.message})`,
      });
    case 429:
      return new CodedError({
        code: 'upstream-quota-exhausted',
        status: 503,
        message: 'the upstream refuses calls for its quota, and there is no snapshot to answer from yet',
        retryAfterMs: RETRY_AFTER_FAILURE_MS,
      });
    default:
      return new CodedError({
        code: 'upstream-rejected',
        status: 502,
        message: `the upstream refused the request: ${outcome.message}`,
      });
  }
}

/** There is no snapshot, and no call could be made or none came back. */
export function refusalError(outcome: Exclude<FetchOutcome, { kind: 'fetched' | 'rejected' }>): CodedError {
  if (outcome.kind === 'refused') {
    return new CodedError({
      code: 'quota-exhausted',
      status: 503,
      message: 'the quota leaves no room for the first read of this sheet, and there is no snapshot to answer from yet',
      retryAfterMs: outcome.refusal.retryInMs,
    });
  }
  return new CodedError({
    code: 'upstream-unavailable',
    status: 502,
    message: `the upstream failed, and there is no snapshot to answer from: ${outcome.message}`,
    retryAfterMs: RETRY_AFTER_FAILURE_MS,
  });
}

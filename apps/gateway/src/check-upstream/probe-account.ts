/**
 * What one account may do with one spreadsheet, found out by calls that leave no trace:
 *
 *   sign in          a token is fetched
 *   read             the title and the tabs, without cells (1 read)
 *   write            one atomic call that creates a developer metadata entry and deletes it again (1 write): no cell is touched
 *   clashing ids     only where asked for: an entry is created, the same id is tried again, both are deleted (3 writes)
 */
import { randomInt } from 'node:crypto';
import {
  activationUrlIn,
  parsePermissionError,
  type CallAccess,
  type UpstreamAccount,
  type UpstreamAnswer,
  type UpstreamClient,
} from '@app/sheets-client';

export interface ProbedAccount {
  /** Its address, or where it comes from. */
  readonly account: string;
  readonly quotaUser: string;
  readonly projectId?: string;
  readonly signedIn: boolean;
  readonly spreadsheet?: { readonly title: string; readonly tabs: readonly ProbedTab[] };
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Whether the service refuses a metadata id that exists, which exactly-once relies on. Absent: not asked. */
  readonly refusesClashingIds?: boolean;
  /** What is wrong, and what to do about it. */
  readonly problem?: string;
}

export interface ProbedTab {
  readonly title: string;
  readonly sheetId: number;
  readonly rows?: number;
  readonly columns?: number;
}

/** Ids of entries that a check creates: below those of commit entries (1,000,000,000 and above). */
const PROBE_ID_FIRST = 900_000_000;
const PROBE_IDS = 1_000_000;
const PROBE_KEY = 'sheets-quota-gateway-check';

const FIELDS = 'properties.title,sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))';

export interface ProbeOptions {
  readonly spreadsheetId: string;
  readonly baseUrl: string;
  readonly probeClashingIds: boolean;
}

export async function probeAccount(
  client: UpstreamClient,
  account: UpstreamAccount & { readonly name?: string; readonly projectId?: string },
  { spreadsheetId, baseUrl, probeClashingIds }: ProbeOptions,
): Promise<ProbedAccount> {
  const about = {
    account: account.name ?? 'nobody (no credentials are set)',
    quotaUser: account.id,
    ...(account.projectId === undefined ? {} : { projectId: account.projectId }),
  };
  try {
    await account.headers();
  } catch (error) {
    return { ...about, signedIn: false, mayRead: false, mayWrite: false, problem: signInProblem(error as Error) };
  }
  const path = `/v4/spreadsheets/${encodeURIComponent(spreadsheetId)}`;
  const call = <T>(access: CallAccess, rest: string, body?: object): Promise<UpstreamAnswer<T>> =>
    client.call<T>({ lane: 'cold', access, method: body === undefined ? 'GET' : 'POST', path: path + rest, body });
  const explain = (answer: UpstreamAnswer<unknown>, to: 'read' | 'write'): string =>
    problemIn(answer, { account, spreadsheetId, baseUrl, to });

  const read = await call<Found>('read', `?${new URLSearchParams({ fields: FIELDS })}`);
  if (read.kind !== 'answered')
    return { ...about, signedIn: true, mayRead: false, mayWrite: false, problem: explain(read, 'read') };
  const found = { ...about, signedIn: true, mayRead: true, spreadsheet: spreadsheetIn(read.body) };

  const metadataId = PROBE_ID_FIRST + randomInt(PROBE_IDS);
  const update = (...requests: object[]): Promise<UpstreamAnswer<unknown>> => call('write', ':batchUpdate', { requests });
  const written = await update(createEntry(metadataId), deleteEntry(metadataId));
  if (written.kind !== 'answered') return { ...found, mayWrite: false, problem: explain(written, 'write') };
  if (!probeClashingIds) return { ...found, mayWrite: true };

  const first = await update(createEntry(metadataId));
  if (first.kind !== 'answered') return { ...found, mayWrite: true, problem: explain(first, 'write') };
  const second = await update(createEntry(metadataId));
  const deleted = await update(deleteEntry(metadataId));
  const decided = second.kind === 'answered' || (second.kind === 'rejected' && second.status === 400);
  return {
    ...found,
    mayWrite: true,
    ...(decided ? { refusesClashingIds: second.kind === 'rejected' } : { problem: explain(second, 'write') }),
    ...(deleted.kind === 'answered'
      ? {}
      : { problem: `the entry ${PROBE_KEY} (id ${metadataId}) could not be deleted: ${explain(deleted, 'write')}` }),
  };
}

interface Found {
  readonly properties?: { readonly title?: string };
  readonly sheets?: readonly {
    readonly properties?: {
      readonly sheetId?: number;
      readonly title?: string;
      readonly gridProperties?: { readonly rowCount?: number; readonly columnCount?: number };
    };
  }[];
}

function spreadsheetIn({ properties, sheets = [] }: Found): NonNullable<ProbedAccount['spreadsheet']> {
  const tabs = sheets.map(({ properties: tab }) => ({
    title: tab?.title ?? '',
    sheetId: tab?.sheetId ?? 0,
    rows: tab?.gridProperties?.rowCount,
    columns: tab?.gridProperties?.columnCount,
  }));
  return { title: properties?.title ?? '', tabs };
}

const createEntry = (metadataId: number): object => ({
  createDeveloperMetadata: {
    developerMetadata: {
      metadataId,
      metadataKey: PROBE_KEY,
      metadataValue: 'may be deleted',
      location: { spreadsheet: true },
      visibility: 'DOCUMENT',
    },
  },
});

const deleteEntry = (metadataId: number): object => ({
  deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId } } },
});

/** Source of `invalid_grant` and its texts: RFC 6749, 5.2, and "Using OAuth 2.0 for Server to Server Applications", errors. */
function signInProblem(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (/invalid_grant/.test(error.message))
    return `the token endpoint does not accept the account (${error.message}): the key may have been deleted, belong to another account, or this machine's clock may be wrong; create a new key and set GOOGLE_APPLICATION_CREDENTIALS to its file`;
  if (/DECODER|PEM|asymmetric key/i.test(`${code} ${error.message}`))
    return 'private_key in the file is not a key: download the file again, and change nothing in it';
  if (/default credentials/i.test(error.message))
    return `this machine has no Application Default Credentials: run \`gcloud auth application-default login\` with the Sheets scope, or set GOOGLE_APPLICATION_CREDENTIALS (${error.message})`;
  return `could not sign in: ${error.message}${code === undefined ? '' : ` (${code})`}; is the token endpoint reachable from here (HTTPS_PROXY, NO_PROXY)?`;
}

interface Question {
  readonly account: UpstreamAccount;
  readonly spreadsheetId: string;
  readonly baseUrl: string;
  readonly to: 'read' | 'write';
}

function problemIn(answer: UpstreamAnswer<unknown>, { account, spreadsheetId, baseUrl, to }: Question): string {
  if (answer.kind === 'unreachable' || answer.kind === 'unknown')
    return `${baseUrl} gave no usable answer: ${answer.message}; is UPSTREAM_BASE_URL right, and reachable from here (HTTPS_PROXY, NO_PROXY)?`;
  if (answer.kind !== 'rejected') return `the call was not made (${answer.kind})`;
  const { status, message, body } = answer;
  const said = `the service said ${status}: ${message}`;
  const whom = account.email ?? 'the account';
  if (status === 404) return `there is no spreadsheet ${spreadsheetId}: SPREADSHEET_ID is the part of its address between /d/ and /edit (${said})`; // prettier-ignore
  if (status === 401) return `the token is not accepted (${said})`;
  if (status === 429) return `the quota is used up at this moment: try again in a minute (${said})`;
  switch (parsePermissionError(body)) {
    case 'api-disabled':
      return `the Google Sheets API is not enabled in the account's project: enable it at ${activationUrlIn(body) ?? 'the API library of the Google Cloud console'}, wait some minutes, and check again`;
    case 'scope':
      return `the token may not use spreadsheets: sign in with the scope https://www.googleapis.com/auth/spreadsheets (${said})`;
    case 'spreadsheet':
      return to === 'read'
        ? `the spreadsheet is not shared with ${whom}: open it, press Share, and invite ${whom} as an editor (${said})`
        : `the spreadsheet is shared with ${whom} for reading only: make ${whom} an editor (${said})`;
    default:
      return said;
  }
}

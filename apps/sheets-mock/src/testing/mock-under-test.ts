/** A mock on a free port, and the calls that its tests make; not part of the running mock. */
import { readConfiguration } from '../configuration';
import { startSheetsMock, type RunningMock } from '../sheets-mock';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export const ID = 'mock-spreadsheet';
export const BASE = `/v4/spreadsheets/${ID}`;

/** Long enough for a machine under load; a call that takes longer hangs. */
const CALL_TIMEOUT_MS = 5_000;

let mock: RunningMock;

/** Before all tests of the file a mock without quota and latency; before each test it is as if fresh. */
export function useMock(): void {
  beforeAll(async () => {
    mock = await startSheetsMock({
      ...readConfiguration({}),
      port: 0,
      quota: { model: 'off' },
      latencyMs: 0,
      latencyJitterMs: 0,
    });
  });
  afterAll(() => mock.stop());
  beforeEach(async () => {
    await send('POST', '/control/reset');
  });
}

export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<Reply> {
  const response = await fetch(mock.url + path, {
    method,
    headers: {
      ...(body === undefined || body instanceof URLSearchParams ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || body instanceof URLSearchParams ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, json: isJson ? (JSON.parse(text) as unknown) : undefined };
}

export const get = (path: string, headers?: Record<string, string>) => send('GET', BASE + path, undefined, headers);
export const batch = (requests: unknown[], more: object = {}) => send('POST', `${BASE}:batchUpdate`, { requests, ...more });
export const faults = (...rules: object[]) => send('PUT', '/control/faults', { rules });
export const values = async (range: string) => ((await get(`/values/${range}`)).json as { values?: unknown[][] }).values;
export const messageOf = ({ json }: Reply) => (json as { error: { message: string } }).error.message;

const row = (...texts: string[]) => ({ values: texts.map((stringValue) => ({ userEnteredValue: { stringValue } })) });

export const append = (...texts: string[]) => ({
  appendCells: { sheetId: 0, rows: [row(...texts)], fields: 'userEnteredValue' },
});

export const updateAt = (sheetId: number, text: string) => ({
  updateCells: { start: { sheetId }, rows: [row(text)], fields: 'userEnteredValue' },
});

/** A request that creates developer metadata on the spreadsheet. */
export const entry = (metadataId: number) => ({
  createDeveloperMetadata: {
    developerMetadata: {
      metadataId,
      metadataKey: 'k',
      metadataValue: 'v',
      location: { spreadsheet: true },
      visibility: 'DOCUMENT',
    },
  },
});

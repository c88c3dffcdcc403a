/**
 * The mock inside a test: started on a free port, looked at and told what to do by plain functions.
 *
 *   const mock = await startMock({ quota: 'google' });
 *   await mock.script({ rules: [{ fault: '503', method: 'POST', after: 2, times: 1 }] });
 *   ... point the code under test at mock.baseUrl ...
 *   expect((await mock.calls()).map(({ status }) => status)).toEqual([200, 200, 503]);
 *   await mock.stop();
 */
import type { LoggedCall } from './control/call-log';
import type { AccessBody, ClockBody, FaultsBody, QuotaBody, ScriptBody } from './control/control-bodies';
import { readConfiguration } from './configuration';
import { startSheetsMock } from './sheets-mock';

export interface StartMockOptions {
  readonly quota?: 'case-study' | 'google' | 'off';
  /** Default 0. */
  readonly latencyMs?: number;
  readonly latencyJitterMs?: number;
  readonly spreadsheetId?: string;
  readonly seedFile?: string;
  /** Milliseconds since 1970 at which the clock stands still until `clock` moves it; absent: real time. */
  readonly clockMs?: number;
  /** Default: a free one. */
  readonly port?: number;
}

export interface Mock {
  readonly baseUrl: string;
  /** Every call that asked for a place in the quota, in the order of arrival. */
  calls(): Promise<readonly LoggedCall[]>;
  script(script: ScriptBody): Promise<unknown>;
  faults(plan: FaultsBody): Promise<unknown>;
  quota(quota: QuotaBody): Promise<unknown>;
  access(rules: AccessBody): Promise<unknown>;
  clock(move: ClockBody): Promise<{ readonly nowMs: number; readonly frozen: boolean }>;
  /** As at the start: spreadsheets, call log, quota, faults and access. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export type { AccessBody, ClockBody, FaultsBody, LoggedCall, QuotaBody, ScriptBody };

export async function startMock(options: StartMockOptions = {}): Promise<Mock> {
  const { quota = 'off', latencyMs = 0, latencyJitterMs = 0, spreadsheetId, seedFile, clockMs, port = 0 } = options;
  const environment = {
    MOCK_PORT: String(port),
    MOCK_QUOTA: quota,
    MOCK_LATENCY_MS: String(latencyMs),
    MOCK_LATENCY_JITTER_MS: String(latencyJitterMs),
    ...(spreadsheetId === undefined ? {} : { MOCK_SPREADSHEET_ID: spreadsheetId }),
    ...(seedFile === undefined ? {} : { MOCK_SEED_FILE: seedFile }),
  };
  const running = await startSheetsMock(readConfiguration(environment), clockMs);
  const baseUrl = running.url;
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(`${baseUrl}/control/${path}`, { method, body: text });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error((answer as { error: { message: string } }).error.message);
    return answer as T;
  };
  return {
    baseUrl,
    calls: async () => (await control<{ calls: LoggedCall[] }>('GET', 'calls')).calls,
    script: (script) => control('POST', 'script', script),
    faults: (plan) => control('PUT', 'faults', plan),
    quota: (quota) => control('PUT', 'quota', quota),
    access: (rules) => control('PUT', 'access', rules),
    clock: (move) => control('PUT', 'clock', move),
    reset: async () => void (await control('POST', 'reset')),
    stop: () => running.stop(),
  };
}

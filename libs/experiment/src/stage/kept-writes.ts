/** Whether the spreadsheet holds what was acknowledged: each row once, by the mock's own cells. */
import { expectOk } from '@app/proof';

export interface KeptWrites {
  readonly acknowledged: number;
  readonly once: number;
  /** Acknowledged, and not there. */
  readonly lost: readonly string[];
  /** There more than once, acknowledged or not. */
  readonly doubled: readonly string[];
  /** There, though the client got no acknowledgement: an answer that was lost on its way. */
  readonly unacknowledged: number;
}

/** The whole first column, read as a person at the spreadsheet would: no place in the quota, no entry in the log. */
export async function keysInSpreadsheet(mockUrl: string): Promise<readonly string[]> {
  const { values = [] } = await expectOk<{ values?: (string | number | boolean)[][] }>({
    method: 'GET',
    url: `${mockUrl}/v4/spreadsheets/mock-spreadsheet/values/${encodeURIComponent('orders!A:A')}`,
    headers: { 'X-Mock-Uncounted': '1' },
  });
  return values.map(([key]) => String(key ?? ''));
}

/** @param keyPrefix tells the rows of this load from those that stood there before */
export function compareKept(acknowledged: readonly string[], found: readonly string[], keyPrefix: string): KeptWrites {
  const counts = new Map<string, number>();
  for (const key of found) if (key.startsWith(`${keyPrefix}-`)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const known = new Set(acknowledged);
  return {
    acknowledged: acknowledged.length,
    once: acknowledged.filter((key) => counts.get(key) === 1).length,
    lost: acknowledged.filter((key) => !counts.has(key)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([key]) => key),
    unacknowledged: [...counts.keys()].filter((key) => !known.has(key)).length,
  };
}

/** What the gateway says of the writes that it accepted: asked after the load, and of Redis only, so that it costs no upstream call. */
import { monotonicMs, pause } from '@app/platform';
import { expectOk } from '@app/proof';

export interface WriteReceipt {
  readonly id: string;
  readonly state: string;
  readonly keys: readonly string[];
  readonly acceptedAt: string;
  readonly settledAt?: string;
  readonly reason?: { readonly code: string };
}

const LOOK_EVERY_MS = 200;

const PAGE = 500;

/** Waits until no write is pending. @returns false where some still are when `patienceMs` are over */
export async function waitUntilDrained(gatewayUrl: string, patienceMs: number, over: AbortSignal): Promise<boolean> {
  const endMs = monotonicMs() + patienceMs;
  while (!over.aborted) {
    const { writes } = await page(gatewayUrl, 'state=accepted,sending,unknown&limit=1');
    if (writes.length === 0) return true;
    if (monotonicMs() > endMs) return false;
    await pause(LOOK_EVERY_MS, over);
  }
  return false;
}

export async function allReceipts(gatewayUrl: string): Promise<readonly WriteReceipt[]> {
  const receipts: WriteReceipt[] = [];
  let before = '';
  for (;;) {
    const { writes, next } = await page(gatewayUrl, `limit=${PAGE}${before}`);
    receipts.push(...writes);
    if (next === undefined) return receipts;
    before = `&before=${next}`;
  }
}

async function page(gatewayUrl: string, query: string): Promise<{ writes: WriteReceipt[]; next?: number }> {
  return await expectOk({ method: 'GET', url: `${gatewayUrl}/writes?${query}` });
}

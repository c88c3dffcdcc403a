import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

describe('a person moves rows between the look at the sheet and the change of a row', () => {
  let stack: Stack;
  afterAll(() => stack?.stop());

  it('the write is reported as row-moved, and not as applied', async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1500', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { QUOTA_LIMIT: '100000', DIRECT_WRITE_WAIT_MS: '20000' },
    });
    const client = new Client(stack.gateways[0].baseUrl);
    const upstream = new Upstream(stack.mock.baseUrl);
    await client.get('/sheets/orders/rows');
    const patched = client.patch('/sheets/orders/rows/ORD-0050', { status: 'changed' });
    // The call is on its way and takes effect half of its latency later.
    await waitFor('the write call', async () => (await upstream.calls()).some((call) => call.kind === 'write'), { everyMs: 10 });
    await upstream.edit([{ insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 2 } } }]);

    const answer = await patched;
    expect([answer.status, answer.body.code]).toEqual([409, 'row-moved']);
    expect(answer.body.message).toContain('ORD-0050');
    expect((await client.get('/writes?state=failed')).body.writes).toHaveLength(1);
    // Found by its key, it can be tried again.
    expect((await client.patch('/sheets/orders/rows/ORD-0050', { status: 'again' })).status).toBe(200);
    expect((await upstream.values('orders!A1:G200')).find(([id]) => id === 'ORD-0050')?.[5]).toBe('again');
  }, 60_000);
});

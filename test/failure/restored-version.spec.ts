import { startStack, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream } from '../support/client';

/** What restoring an older version does to a spreadsheet, as far as the API shows it: rows and commit entries are gone again. */
describe('a spreadsheet that a person restores to an older version', () => {
  let stack: Stack;
  afterAll(() => stack?.stop());

  it('is taken as it is once it cannot be a lag any more; nothing is sent again, and writing goes on', async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '2', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: { UPSTREAM_LAG_MAX_MS: '1000', QUOTA_LIMIT: '100000' },
    });
    const client = new Client(stack.gateways[0].baseUrl);
    const upstream = new Upstream(stack.mock.baseUrl);
    for (const id of ['a', 'b', 'c']) expect((await client.post('/sheets/orders/rows', { id })).status).toBe(201);

    await upstream.edit([
      { deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 102, endIndex: 104 } } },
      ...[2, 3].map((number) => ({
        deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId: 1_000_000_000 + number } } },
      })),
    ]);
    // At first it may be a lag: what was acknowledged stays in the view.
    expect((await client.get('/sheets/orders/rows/c')).status).toBe(200);
    await waitFor('the restored version to be shown', async () => (await client.get('/sheets/orders/rows/c')).status === 404, {
      timeoutMs: 15_000,
      everyMs: 100,
    });
    expect((await client.get('/sheets/orders/rows/a')).status).toBe(200);
    expect((await client.post('/sheets/orders/rows', { id: 'd' })).status).toBe(201);
    expect((await upstream.values('orders!A102:A200')).map(([id]) => id)).toEqual(['a', 'd']);
    expect(((await client.get('/sheets/orders/rows')).body.rows as { id: string }[]).slice(100).map(({ id }) => id)).toEqual([
      'a',
      'd',
    ]);
  }, 60_000);
});

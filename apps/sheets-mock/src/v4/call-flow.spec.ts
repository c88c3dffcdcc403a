import { waitFor } from '@app/platform';
import { parseQuotaError } from '@app/sheets-wire';
import { append, BASE, batch, faults, get, send, useMock, values } from '../testing/mock-under-test';

useMock();

describe('the quota', () => {
  it('answers 429 with a body that names the limit, without Retry-After, and logs it', async () => {
    await send('PUT', '/control/quota', { model: 'google', userLimit: 2, window: 'sliding' });
    const statuses = [await get('/values/orders!A1'), await get('/values/orders!A1'), await get('/values/orders!A1')].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await get('');
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(parseQuotaError(refused.json)).toEqual({
      metric: 'read_requests',
      scope: 'user',
      limitId: 'ReadRequestsPerMinutePerUser',
      limitValue: 2,
    });
    expect((await get('/values/orders!A1', { authorization: 'Bearer other' })).status).toBe(200);
    const { json } = await send('GET', '/control/calls');
    expect((json as { calls: { status: number }[] }).calls.map(({ status }) => status)).toEqual([200, 200, 429, 429, 200]);
    await send('PUT', '/control/clock', { advanceMs: 60_000 });
    expect((await get('/values/orders!A1')).status).toBe(200);
  });

  it('is not touched by a person at the spreadsheet, whom no fault meets either', async () => {
    await send('PUT', '/control/quota', { model: 'case-study', limit: 1, refillPerSecond: 0 });
    await faults({ fault: '500' });
    const edit = await send(
      'PUT',
      `${BASE}/values/orders!A1?valueInputOption=RAW`,
      { values: [['x']] },
      { 'x-mock-uncounted': '1' },
    );
    expect(edit.status).toBe(200);
    expect((await send('GET', '/control/calls')).json).toEqual({ calls: [], count: 0, dropped: 0 });
    expect((await get('/values/orders!A1')).status).toBe(500);
  });
});

describe('faults', () => {
  const isIn = async (text: string) => (await get('/values/orders!A102', { 'x-mock-uncounted': '1' })).text.includes(text);

  it.each([
    ['429', 429, false],
    ['500', 500, false],
    ['503', 503, false],
    ['html-502', 502, false],
    ['apply-then-503', 503, true],
  ])('%s answers %i; applied: %s', async (fault, status, applied) => {
    await faults({ fault, times: 1 });
    expect((await batch([append('NEW')])).status).toBe(status);
    expect(await isIn('NEW')).toBe(applied);
  });

  it.each([
    ['cut', false],
    ['cut-after-apply', true],
  ])('%s leaves the client without an answer; applied: %s', async (fault, applied) => {
    await faults({ fault, times: 1 });
    await expect(batch([append('NEW')])).rejects.toThrow();
    expect(await isIn('NEW')).toBe(applied);
    expect((await send('GET', '/control/calls')).json).toMatchObject({ calls: [{ kind: 'write', status: 0 }] });
  });

  it('hang answers nothing and applies nothing', async () => {
    await faults({ fault: 'hang', times: 1 });
    const call = send('POST', `${BASE}:batchUpdate`, { requests: [append('NEW')] }, {}, 60);
    await expect(call).rejects.toThrow();
    expect(await isIn('NEW')).toBe(false);
  });

  it('apply-late applies after the client has gone', async () => {
    await faults({ fault: 'apply-late', times: 1, delayMs: 200 });
    const call = send('POST', `${BASE}:batchUpdate`, { requests: [append('NEW')] }, {}, 50);
    await expect(call).rejects.toThrow();
    expect(await isIn('NEW')).toBe(false);
    await waitFor('the late write', () => isIn('NEW'));
  });

  it('lagging-reads show the spreadsheet as it was', async () => {
    await faults({ fault: 'lagging-reads', delayMs: 60_000 });
    await batch([append('NEW')]);
    expect(await values('orders!A102')).toBeUndefined();
    await send('PUT', '/control/clock', { advanceMs: 60_001 });
    expect(await values('orders!A102')).toEqual([['NEW']]);
  });

  it('refuse-text blames the request that holds the text', async () => {
    await faults({ fault: 'refuse-text', text: 'poison' });
    const { json } = await batch([append('fine'), append('some poison')]);
    expect((json as { error: { message: string } }).error.message).toMatch(/^Invalid requests\[1\]\.appendCells: /);
    expect((await batch([append('fine')])).status).toBe(200);
  });
});

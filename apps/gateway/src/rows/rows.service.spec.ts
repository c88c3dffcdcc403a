import { SheetView } from '@app/sheet-view';
import type { Receipt } from '@app/write-log';
import type { Configuration } from '../configuration';
import { RowsService, type Exchange } from './rows.service';

/** The view holds the row `k`: the first attempt of the very request that is asked again was accepted a moment ago. */
const view = new SheetView(
  { sheetId: 1, title: 'rows', index: 0, rowCount: 9, columnCount: 2, cells: [['id', 'n'], ['k', 1]] }, // prettier-ignore
  'id',
);
const receipt: Receipt = {
  id: 'the-first',
  number: 1,
  state: 'accepted',
  spreadsheetId: 's',
  sheet: 'rows',
  sheetId: 1,
  operation: 'append',
  keys: ['k'],
  acceptedAt: '',
};

function serviceThatFinds(answers: readonly (Receipt | undefined)[]): RowsService {
  const left = [...answers];
  const found = (): Promise<unknown> => {
    const next = left.shift();
    return Promise.resolve(next && { receipt: next, degraded: 'quota' });
  };
  const reader = { viewForWrite: () => Promise.resolve({ view, ageMs: 0, tab: { sheetId: 1, title: 'rows', index: 0 } }) };
  const configuration = { protection: 'full', keyColumnName: 'id' } as unknown as Configuration;
  return new RowsService(reader as never, { repeated: found } as never, undefined as never, configuration);
}

function exchange(): Exchange {
  const reply = { status: () => reply, type: () => reply, header: () => reply };
  return { request: { headers: { 'idempotency-key': 'a' }, method: 'POST', url: '/x' }, reply } as unknown as Exchange;
}

describe('a request asked again while its first attempt is still being accepted', () => {
  const place = { spreadsheetId: 's', sheet: 'rows' };

  it('gets the answer to the first, not a refusal because of its own row', async () => {
    const body = await serviceThatFinds([undefined, receipt]).append(place, { id: 'k', n: 1 }, exchange());
    expect(JSON.parse(body)).toMatchObject({ id: 'the-first', state: 'accepted' });
  });

  it('gets the answer to the first, not a 404 because the row is deleted already', async () => {
    const body = await serviceThatFinds([undefined, receipt]).delete(place, 'gone', exchange());
    expect(JSON.parse(body)).toMatchObject({ id: 'the-first' });
  });

  it('is refused where there was no first one', async () => {
    const again = serviceThatFinds([undefined, undefined]);
    await expect(again.append(place, { id: 'k', n: 1 }, exchange())).rejects.toMatchObject({ facts: { code: 'duplicate-key' } });
  });
});

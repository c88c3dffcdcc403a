import { NOBODY, type UpstreamAccount } from './account';
import { AccountPool, PERMISSION_RECHECK_MS } from './account-pool';

const account = (id: string): UpstreamAccount => ({ ...NOBODY, id });
const [ann, bob] = [account('ann'), account('bob')];
const NONE_TRIED = new Set<UpstreamAccount>();

describe('An account pool', () => {
  let nowMs: number;
  let pool: AccountPool;
  beforeEach(() => {
    nowMs = 1_000;
    pool = new AccountPool([ann, bob], () => nowMs);
  });
  const who = (spreadsheetId: string, access: 'read' | 'write', tried = NONE_TRIED): string[] =>
    pool.candidates(spreadsheetId, access, tried).map(({ id }) => id);

  it('leaves out who is known not to be permitted, for that spreadsheet only, until it is time to look again', () => {
    pool.noteDenied(ann, 's', 'read');
    expect([who('s', 'read'), who('s', 'write'), who('other', 'read')]).toEqual([['bob'], ['bob'], ['ann', 'bob']]);
    nowMs += PERMISSION_RECHECK_MS - 1;
    expect(who('s', 'read')).toEqual(['bob']);
    nowMs += 1;
    expect(who('s', 'read')).toEqual(['ann', 'bob']);
  });

  it('lets a reader read', () => {
    pool.noteDenied(ann, 's', 'write');
    expect([who('s', 'read'), who('s', 'write')]).toEqual([['ann', 'bob'], ['bob']]);
  });

  it('believes a call that went through more than an older refusal', () => {
    pool.noteDenied(ann, 's', 'read');
    pool.noteAllowed(ann, 's', 'write');
    expect(who('s', 'read')).toEqual(['ann', 'bob']);
  });

  it('asks as the one that was refused first where nobody is known to be permitted', () => {
    pool.noteDenied(bob, 's', 'read');
    nowMs += 10;
    pool.noteDenied(ann, 's', 'read');
    expect(who('s', 'read')).toEqual(['bob']);
    // Within one call nobody is asked twice.
    expect(who('s', 'read', new Set([bob]))).toEqual([]);
  });

  it('leaves out for a while who could not sign in', () => {
    pool.noteSignInFailed(ann);
    expect(who('s', 'read')).toEqual(['bob']);
    nowMs += 30_000;
    expect(who('s', 'read')).toEqual(['ann', 'bob']);
  });

  it('holds each account once: its quota is one', () => {
    expect(() => new AccountPool([ann, account('ann')])).toThrow(RangeError);
  });
});

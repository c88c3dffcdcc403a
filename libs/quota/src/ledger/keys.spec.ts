import { QuotaKeys } from './keys';

describe('The keys of the ledger', () => {
  const keys = new QuotaKeys('app:');

  it('[115] share one hash tag, so that a call touches one slot of a cluster whatever its quotas and users', () => {
    const all = ['read-project', 'read-user:ann', 'read-user:{other}x', 'write-user:}{'].flatMap((id) => keys.of(id));
    for (const key of all) expect(/\{([^}]*)\}/.exec(key)?.[1]).toBe('app:quota');
  });

  it('differ between users whose names differ', () => {
    const names = ['a', 'A', 'a b', 'a%20;b', 'ä', 'a:b', '😀'];
    expect(new Set(names.map((name) => keys.of(`read-user:${name}`)[1])).size).toBe(names.length);
  });
});

import { ViewCache } from './view-cache';

describe('the views that a process keeps', () => {
  const cacheOf = (bytesMax: number, sizes: Readonly<Record<string, number>>): ViewCache<{ bytes: number }> => {
    const cache = new ViewCache<{ bytes: number }>(bytesMax);
    for (const [name, bytes] of Object.entries(sizes)) cache.keep(name, { bytes });
    return cache;
  };

  it('stay within the budget: the least recently used goes first', () => {
    const cache = cacheOf(100, { a: 40, b: 40 });
    cache.keep('a', { bytes: 40 });
    cache.keep('c', { bytes: 40 });
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map((kept) => kept !== undefined)).toEqual([true, false, true]);
    expect(cache.bytes).toBe(80);
  });

  it('are as many as fit, and a growing one drives out others', () => {
    const cache = cacheOf(100, { a: 10, b: 10, c: 10 });
    cache.keep('c', { bytes: 85 });
    expect(cache.size).toBe(2);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.bytes).toBe(95);
  });

  it('hold the sheet used last even where it alone is larger than the budget', () => {
    const cache = cacheOf(100, { a: 10, large: 1_000 });
    expect([cache.size, cache.get('large')?.bytes]).toEqual([1, 1_000]);
    cache.keep('a', { bytes: 10 });
    expect([cache.size, cache.bytes]).toEqual([1, 10]);
  });
});

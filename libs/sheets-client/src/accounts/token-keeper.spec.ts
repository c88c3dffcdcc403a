import { RENEW_BEFORE_END_MS, TokenKeeper } from './token-keeper';

const HOUR_MS = 3_600_000;

describe('A token', () => {
  let nowMs: number;
  let fetched: number;
  let fails: boolean;
  let keeper: TokenKeeper;
  beforeEach(() => {
    [nowMs, fetched, fails] = [0, 0, false];
    const fetchToken = async () => {
      fetched += 1;
      if (fails) throw new Error('the token endpoint is away');
      return { headers: { authorization: `token ${fetched}` }, endsAtMs: nowMs + HOUR_MS };
    };
    keeper = new TokenKeeper(fetchToken, () => nowMs);
  });
  const bearer = async (): Promise<string> => (await keeper.headers()).authorization;

  it('is fetched once for all who wait for it, and used until shortly before its end', async () => {
    expect(await Promise.all([bearer(), bearer()])).toEqual(['token 1', 'token 1']);
    nowMs = HOUR_MS - RENEW_BEFORE_END_MS - 1;
    expect(await bearer()).toBe('token 1');
    expect(fetched).toBe(1);
  });

  it('is renewed before it ends, while calls go on with the old one', async () => {
    await bearer();
    nowMs = HOUR_MS - RENEW_BEFORE_END_MS;
    expect(await bearer()).toBe('token 1');
    await Promise.resolve();
    expect(await bearer()).toBe('token 2');
  });

  it('serves on where it cannot be renewed yet, and fails calls only when it has ended', async () => {
    await bearer();
    fails = true;
    nowMs = HOUR_MS - RENEW_BEFORE_END_MS;
    for (let second = 0; second < 100; second += 1, nowMs += 1_000) expect(await bearer()).toBe('token 1');
    expect(fetched).toBe(1 + 10);
    nowMs = HOUR_MS;
    await expect(bearer()).rejects.toThrow('the token endpoint is away');
    fails = false;
    expect(await bearer()).toMatch(/^token/);
  });

  it('that the upstream did not take is fetched anew', async () => {
    await bearer();
    keeper.forget();
    expect(await bearer()).toBe('token 2');
  });
});

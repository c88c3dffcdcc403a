import { ConfigurationError, readConfiguration } from './configuration';
import { CONFIGURATION_VARIABLES, VARIABLES } from './variables';

const KEY = 'a-key-that-is-long-enough';

function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('runs with nothing set: loopback, the mock, the case’s quota, all protection', () => {
    expect(readConfiguration({})).toMatchObject({
      host: '127.0.0.1',
      role: 'all',
      protection: 'full',
      upstream: { baseUrl: 'http://127.0.0.1:4100', accounts: { files: [], applicationDefault: false } },
      spreadsheetId: 'mock-spreadsheet',
      quota: { preset: 'case-study', enforce: true, limit: 300, windowMs: 60_000, triggerRatio: 0.5 },
      apiKeys: [],
    });
    expect(readConfiguration({}).operator).toBeUndefined();
  });

  it('takes an empty value for one that is not set, since compose files and shells produce it', () => {
    const empty = Object.fromEntries(CONFIGURATION_VARIABLES.map((name) => [name, '']));
    expect(readConfiguration(empty)).toEqual(readConfiguration({}));
    const unset = Object.fromEntries(CONFIGURATION_VARIABLES.map((name) => [name, undefined]));
    expect(readConfiguration(unset)).toEqual(readConfiguration({}));
  });

  it('passes over what other programs keep in the environment', () => {
    expect(readConfiguration({ PATH: '/bin', PORT_OF_SOMETHING: 'x' })).toEqual(readConfiguration({}));
  });

  it('reports all problems together, so that nobody has to start it again for each', () => {
    const wrong = { PORT: 'many', ROLE: 'boss', REDIS_URL: 'localhost', QUOTA_LIMIT: '3', KEY_PREFIX: 'Up', API_KEYS: 'short' };
    const problems = problemsOf(wrong);
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(Object.keys(wrong).sort());
    expect(() => readConfiguration(wrong)).toThrow(problems.join('\n'));
  });

  it('reports all contradictions between values together too', () => {
    const problems = problemsOf({
      HOST: '0.0.0.0',
      OPERATOR_USER: 'ops',
      QUOTA_TRIGGER_RATIO: '0.3',
      GOOGLE_APPLICATION_CREDENTIALS: '/somewhere/account.json',
    });
    expect(problems.map((problem) => /^\w+/.exec(problem)?.[0]).sort()).toEqual([
      'HOST',
      'OPERATOR_USER',
      'QUOTA_EXIT_RATIO',
      'SPREADSHEET_ID',
    ]);
  });

  it.each([
    ['UPSTREAM_BASE_URL', 'ftp://sheets', 'a URL that begins with http:// or https://'],
    ['REDIS_URL', '127.0.0.1:6379', 'a URL that begins with redis:// or rediss://'],
    ['KEY_PREFIX', 'a b', '1 to 32 of a-z, 0-9 and -'],
    ['KEY_PREFIX', '{x}', '1 to 32 of a-z, 0-9 and -'],
    ['UPSTREAM_TIMEOUT_MS', '1.5', 'a whole number from 100 to 180000'],
    ['UPSTREAM_TIMEOUT_MS', 'ten', 'a whole number from 100 to 180000'],
    ['UPSTREAM_TIMEOUT_MS', '180001', 'a whole number from 100 to 180000'],
    ['QUOTA_LIMIT', '9', 'a whole number from 10 to 1000000'],
    ['QUOTA_TRIGGER_RATIO', '0', 'a number above 0 and at most 1'],
    ['QUOTA_TRIGGER_RATIO', '50%', 'a number above 0 and at most 1'],
    ['QUOTA_EXIT_RATIO', '1.1', 'a number above 0 and at most 1'],
    ['BODY_BYTES_MAX', '-1', 'a whole number from 1000 to 50000000'],
  ])('says of %s=%s the name, what was found and what is expected', (name, found, expected) => {
    expect(problemsOf({ [name]: found })).toEqual([`${name}: found ${JSON.stringify(found)}, expected ${expected}`]);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['HOST', 'no host'],
    ['ROLE', 'ALL'],
    ['PROTECTION', 'half'],
    ['QUOTA_PRESET', 'mine'],
    ['QUOTA_ENFORCE', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s', (name, found) => {
    const problems = problemsOf({ [name]: found });
    expect(problems).toHaveLength(1);
    expect(problems[0].startsWith(`${name}: found ${JSON.stringify(found)}, expected `)).toBe(true);
  });

  it('never shows a secret, however wrong it is', () => {
    const problems = problemsOf({ API_KEYS: 'tiny-secret,other', OPERATOR_PASSWORD: 'the-password', PORT: 'x' });
    expect(problems.join('\n')).toContain('API_KEYS: found a value that is not shown');
    expect(problems.join('\n')).toContain('keys of at least 16 characters');
    expect(problems.join('\n')).not.toMatch(/tiny-secret|other|the-password/);
    expect(problemsOf({ OPERATOR_PASSWORD: 'the-password' }).join('\n')).not.toContain('the-password');
  });

  describe('where to listen', () => {
    it.each(['0.0.0.0', '192.168.1.5', '::', 'gateway.example', '127.0.0.1.example'])(
      'refuses %s without API keys: anybody could write',
      (host) => {
        expect(problemsOf({ HOST: host })).toHaveLength(1);
        expect(problemsOf({ HOST: host })[0]).toContain(`HOST: found ${JSON.stringify(host)}`);
        // Operators' credentials do not keep clients out.
        expect(problemsOf({ HOST: host, OPERATOR_USER: 'ops', OPERATOR_PASSWORD: 'secret' })).toHaveLength(1);
        expect(problemsOf({ HOST: host, API_KEYS: ' , ' })).toHaveLength(1);
        expect(readConfiguration({ HOST: host, API_KEYS: KEY }).host).toBe(host);
      },
    );

    it.each(['127.0.0.1', 'localhost', '::1'])('takes %s without keys', (host) => {
      expect(readConfiguration({ HOST: host }).host).toBe(host);
    });
  });

  it('takes several API keys, with blanks around the commas', () => {
    expect(readConfiguration({ API_KEYS: ` ${KEY} , ${KEY}-2,` }).apiKeys).toEqual([KEY, `${KEY}-2`]);
    expect(problemsOf({ API_KEYS: `${KEY},short` })).toHaveLength(1);
  });

  it('wants user and password of the operators together, or the pages would be open or closed by mistake', () => {
    expect(problemsOf({ OPERATOR_USER: 'ops' })).toHaveLength(1);
    expect(problemsOf({ OPERATOR_PASSWORD: 'secret' })).toHaveLength(1);
    const { operator } = readConfiguration({ OPERATOR_USER: 'ops', OPERATOR_PASSWORD: 'secret' });
    expect(operator).toEqual({ user: 'ops', password: 'secret' });
  });

  it('refuses an exit that is not below the trigger: the mode would change with every call', () => {
    expect(problemsOf({ QUOTA_TRIGGER_RATIO: '0.4', QUOTA_EXIT_RATIO: '0.4' })).toHaveLength(1);
    expect(problemsOf({ QUOTA_TRIGGER_RATIO: '0.4', QUOTA_EXIT_RATIO: '0.39' })).toEqual([]);
  });

  describe('with the credentials of a service account', () => {
    const real = { GOOGLE_APPLICATION_CREDENTIALS: '/somewhere/account.json', SPREADSHEET_ID: 'mine' };

    it('turns to the real service and its quotas, as far as nothing else is said', () => {
      expect(readConfiguration(real)).toMatchObject({
        upstream: {
          baseUrl: 'https://sheets.googleapis.com',
          accounts: { files: ['/somewhere/account.json'], applicationDefault: false },
        },
        quota: { preset: 'google' },
      });
      expect(readConfiguration({ ...real, UPSTREAM_BASE_URL: 'http://127.0.0.1:1/', QUOTA_PRESET: 'case-study' })).toMatchObject({
        upstream: { baseUrl: 'http://127.0.0.1:1' },
        quota: { preset: 'case-study' },
      });
    });

    it('takes several account files, or the default credentials of the machine', () => {
      const several = { ...real, GOOGLE_APPLICATION_CREDENTIALS: '/a.json, /b.json,' };
      expect(readConfiguration(several).upstream.accounts).toEqual({ files: ['/a.json', '/b.json'], applicationDefault: false });
      const byDefault = { GOOGLE_DEFAULT_CREDENTIALS: 'true', SPREADSHEET_ID: 'mine' };
      expect(readConfiguration(byDefault)).toMatchObject({
        upstream: { baseUrl: 'https://sheets.googleapis.com', accounts: { files: [], applicationDefault: true } },
        quota: { preset: 'google' },
      });
      expect(problemsOf({ ...several, GOOGLE_DEFAULT_CREDENTIALS: 'true' })).toHaveLength(1);
    });

    it('does not start against the real service as nobody', () => {
      expect(problemsOf({ UPSTREAM_BASE_URL: 'https://sheets.googleapis.com/' })).toHaveLength(1);
    });

    it('wants the spreadsheet named: the mock’s id means nothing there', () => {
      expect(problemsOf({ ...real, SPREADSHEET_ID: '' })).toHaveLength(1);
    });
  });

  it('keeps a call without an answer counted for longer than its deadline, whatever that is set to', () => {
    for (const timeoutMs of [100, 10_000, 180_000]) {
      const { upstream, quota } = readConfiguration({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) });
      expect(upstream.timeoutMs).toBe(timeoutMs);
      expect(quota.leaseMs).toBeGreaterThan(timeoutMs);
    }
  });

  it('describes every variable, for the table that people read', () => {
    for (const [name, { desc }] of Object.entries(VARIABLES) as [string, { desc?: string }][])
      expect(`${name}: ${desc ?? ''}`).toMatch(/: .{5,}/);
  });
});

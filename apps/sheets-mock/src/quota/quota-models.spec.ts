import { CASE_STUDY, GOOGLE, quotaModel, type Access, type QuotaSettings } from './quota-models';

const START_MS = Date.UTC(2026, 0, 1, 12, 0, 15);

/** How many of `calls` at one moment get a place. */
function granted(model: ReturnType<typeof quotaModel>, calls: number, atMs: number, access: Access = 'read', user = 'a'): number {
  let count = 0;
  for (let call = 0; call < calls; call += 1) if (!model.take(access, user, atMs)) count += 1;
  return count;
}

const google = (more: Partial<Extract<QuotaSettings, { model: 'google' }>> = {}) => quotaModel({ ...GOOGLE, ...more });

describe('the case-study quota', () => {
  it('gives 300 places to reads and writes together, then 5 a second, and never saves up more than 300', () => {
    const model = quotaModel(CASE_STUDY);
    expect(granted(model, 200, START_MS, 'read') + granted(model, 200, START_MS, 'write')).toBe(300);
    expect(granted(model, 10, START_MS + 1_000)).toBe(5);
    expect(granted(model, 10, START_MS + 1_100)).toBe(0);
    expect(granted(model, 10, START_MS + 1_200)).toBe(1);
    expect(granted(model, 1_000, START_MS + 3_600_000)).toBe(300);
  });

  it('names the metric of the call that it refuses', () => {
    const model = quotaModel({ ...CASE_STUDY, limit: 1 });
    granted(model, 1, START_MS);
    expect(model.take('write', 'a', START_MS)).toEqual({ metric: 'write_requests', scope: 'project', limitValue: 1 });
  });
});

describe('the google quota', () => {
  it('counts each user apart, and all of them together', () => {
    const model = google();
    expect(granted(model, 70, START_MS, 'read', 'a')).toBe(60);
    const others = ['b', 'c', 'd', 'e', 'f'].map((user) => granted(model, 60, START_MS, 'read', user));
    expect(others).toEqual([60, 60, 60, 60, 0]);
    expect(model.take('read', 'a', START_MS)).toMatchObject({ scope: 'user', limitValue: 60 });
    expect(model.take('read', 'f', START_MS)).toMatchObject({ metric: 'read_requests', scope: 'project', limitValue: 300 });
  });

  it('counts reads and writes apart', () => {
    const model = google();
    expect(granted(model, 70, START_MS, 'read')).toBe(60);
    expect(granted(model, 70, START_MS, 'write')).toBe(60);
  });

  it('starts anew with the minute of the clock, by default', () => {
    const model = google();
    granted(model, 60, START_MS);
    expect(granted(model, 1, START_MS + 44_999)).toBe(0);
    expect(granted(model, 60, START_MS + 45_000)).toBe(60);
    expect(model.take('read', 'a', START_MS + 46_000)?.windowStartMs).toBe(START_MS + 45_000);
  });

  it('frees a place a minute after it was taken, when sliding', () => {
    const model = google({ window: 'sliding' });
    granted(model, 60, START_MS);
    expect(granted(model, 1, START_MS + 59_999)).toBe(0);
    expect(granted(model, 70, START_MS + 60_000)).toBe(60);
  });

  it('frees a place a second, as a bucket', () => {
    const model = google({ window: 'token-bucket' });
    granted(model, 60, START_MS);
    expect(granted(model, 5, START_MS + 2_000)).toBe(2);
  });
});

describe('somebody else in the same project', () => {
  it.each(['fixed-minute', 'sliding', 'token-bucket'] as const)(
    'leaves about half of it with a share of a half: %s',
    (window) => {
      const model = google({ window, foreignShare: 0.5, userLimit: 1_000 });
      let count = 0;
      // From the start of a minute, ten attempts a second for a minute.
      const startMs = START_MS + 45_000;
      for (let atMs = startMs; atMs < startMs + 60_000; atMs += 100) if (!model.take('read', 'a', atMs)) count += 1;
      // A bucket holds a minute's worth at the start, which comes on top of what flows in.
      const [least, most] = window === 'token-bucket' ? [445, 455] : [150, 240];
      expect(count).toBeGreaterThanOrEqual(least);
      expect(count).toBeLessThanOrEqual(most);
    },
  );

  it('takes all with a share of one, once the bucket is empty', () => {
    const model = quotaModel({ ...CASE_STUDY, foreignShare: 1 });
    expect(granted(model, 400, START_MS)).toBeLessThanOrEqual(300);
    let late = 0;
    for (let atMs = START_MS + 1_000; atMs < START_MS + 60_000; atMs += 1_000) late += granted(model, 5, atMs);
    expect(late).toBeLessThanOrEqual(2);
  });
});

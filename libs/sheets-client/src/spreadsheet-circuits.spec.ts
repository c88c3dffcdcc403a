import { waitFor } from '@app/platform';
import { SpreadsheetCircuits } from './spreadsheet-circuits';
import type { UpstreamAnswer } from './upstream-answer';

const OK: UpstreamAnswer<string> = { kind: 'answered', body: 'ok' };
const FAILED: UpstreamAnswer<string> = { kind: 'unknown', message: 'no answer' };
const OPTIONS = { failuresMax: 3, pauseMs: 20, pauseMaxMs: 80, callsAtOnceMax: 4 };

describe('the circuit of a spreadsheet', () => {
  const circuits = (over = {}): SpreadsheetCircuits => new SpreadsheetCircuits({ ...OPTIONS, ...over });
  async function breakIt(one: SpreadsheetCircuits, id = 'a'): Promise<void> {
    for (let failure = 0; failure < OPTIONS.failuresMax; failure += 1) await one.run(id, async () => FAILED);
  }

  it('opens after failures in a row: nothing is sent, and the others are not touched', async () => {
    const one = circuits();
    await breakIt(one);
    let sent = 0;
    const call = async (): Promise<UpstreamAnswer<string>> => ((sent += 1), OK);
    expect(await one.run('a', call)).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('failed') as string });
    expect([sent, one.openCount, (await one.run('b', call)).kind]).toEqual([0, 1, 'answered']);
  });

  it.each<[string, UpstreamAnswer<string>]>([
    ['a 4xx', { kind: 'rejected', status: 400, message: '', body: {} }],
    ['a refusal by the quota', { kind: 'refused', refusal: { reason: 'quota', retryInMs: 1 } }],
    ['a write that was withheld', { kind: 'withheld', message: '' }],
    ['an account that cannot sign in', { kind: 'unreachable', message: '', cannotSignIn: true }],
  ])('does not open for %s', async (_what, answer) => {
    const one = circuits();
    for (let at = 0; at < 10; at += 1) await one.run('a', async () => answer);
    expect(one.openCount).toBe(0);
  });

  it('closes by one try that is answered, and lets more through with each answer', async () => {
    const one = circuits();
    await breakIt(one);
    await waitFor('a try', async () => (await one.run('a', async () => OK)).kind === 'answered');
    expect(one.openCount).toBe(0);
    const under: (() => void)[] = [];
    const slow = (): Promise<UpstreamAnswer<string>> => new Promise((resolve) => under.push(() => resolve(OK)));
    const calls = [1, 2, 3, 4].map(() => one.run('a', slow));
    await Promise.all(calls.slice(2));
    expect(under).toHaveLength(2);
    for (const finish of under.splice(0)) finish();
    await Promise.all(calls);
    const more = [1, 2, 3, 4].map(() => one.run('a', slow));
    expect(under).toHaveLength(4);
    for (const finish of under) finish();
    expect((await Promise.all(more)).map(({ kind }) => kind)).toEqual(Array(4).fill('answered'));
  });

  it('leaves sockets to the others: a spreadsheet that hangs has only so many calls under way', async () => {
    const one = circuits({ failuresMax: 0 });
    const hanging = Array.from({ length: 10 }, () => one.run('a', () => new Promise<UpstreamAnswer<string>>(() => undefined)));
    const refused = await Promise.race(hanging.slice(4));
    expect(refused).toMatchObject({ kind: 'unreachable' });
    expect((await one.run('b', async () => OK)).kind).toBe('answered');
  });
});

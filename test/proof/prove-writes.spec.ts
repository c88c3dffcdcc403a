/**
 * `npm run prove:writes`, short: with all that can go wrong it finds nothing, and with any one of the mechanisms taken away it
 * finds what that mechanism prevents.
 */
import type { Mechanism } from '@app/platform';
import { runProof, TROUBLES, type FaultRule, type ProofResult, type ViolationKind } from '@app/proof';

const SEED = 20_260_101;

/** Less than a test may take, and ten times what it takes to see something. */
const DURATION_MS = 20_000;

async function runWithout(without: Mechanism | undefined, faultsOnly: readonly FaultRule[]): Promise<ProofResult> {
  return await runProof({
    seed: SEED,
    durationMs: without === undefined ? 5_000 : DURATION_MS,
    clients: 6,
    troubles: [],
    faultsOnly,
    // Only batches of nothing but appends are sent again as they are: others ask the spreadsheet first.
    appendsOnly: without === 'clash-refusal',
    without,
    untilViolation: true,
    print: () => undefined,
  });
}

const DOUBT: readonly FaultRule[] = [{ fault: 'apply-then-503', on: 'write', probability: 0.3 }];
const LAG: readonly FaultRule[] = [{ fault: 'lagging-reads', on: 'read', probability: 0.5, delayMs: 1_000 }];

describe('prove:writes', () => {
  it('finds nothing while everything goes wrong', async () => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const result = await runProof({ seed: SEED, durationMs: 25_000, clients: 12, troubles: TROUBLES, print });
    expect(result.violations).toEqual([]);
    expect(result.problems).toEqual([]);
    expect(result.counts.total('appends')).toBeGreaterThan(50);
    expect(result.counts.total('kills')).toBeGreaterThan(1);
    expect(result.counts.total('faults')).toBeGreaterThan(1);
    expect(lines.length).toBeGreaterThan(0);
  }, 180_000);

  it.each<[Mechanism, readonly FaultRule[], ViolationKind[]]>([
    // A row sent twice stands there twice, or the second finds its own key taken.
    ['frozen-batches', DOUBT, ['doubled', 'lost']],
    ['clash-refusal', DOUBT, ['doubled', 'lost']],
    ['write-ahead', DOUBT, ['doubled', 'lost']],
    ['contains-check', LAG, ['stale', 'went-back']],
  ])(
    'sees what happens without %s',
    async (mechanism, faults, kinds) => {
      const { violations } = await runWithout(mechanism, faults);
      expect(violations.length).toBeGreaterThan(0);
      expect(kinds).toContain(violations[0].kind);
      expect(violations[0].history.length).toBeGreaterThan(0);
    },
    90_000,
  );

  it.each([
    ['doubtful answers', DOUBT],
    ['lagging reads', LAG],
  ])(
    'finds nothing in the same %s with every mechanism in place',
    async (_, faults) => {
      const { violations, problems } = await runWithout(undefined, faults);
      expect(violations).toEqual([]);
      expect(problems).toEqual([]);
    },
    90_000,
  );
});

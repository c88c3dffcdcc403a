/** What many runs showed together: for people as text, for programs as JSON. */
import { LANES, type Lane } from '../policy/lane';
import type { RunResult } from './run';
import { SCENARIO_KINDS } from './scenario';
import type { Slice } from './slices';

/** Of the ceiling, for lanes that the mode does not gate and that ask without end. */
export const USE_MIN = 0.97;
/** After five minutes beside a stranger: one refused call of so many. */
export const SENT_PER_REFUSAL_MIN = 200;

interface Use {
  runs: number;
  sum: number;
  least: number;
  leastSeed: number;
}

export interface Report {
  readonly runs: number;
  readonly firstSeed: number;
  readonly sent: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byUpstream: Readonly<Record<string, number>>;
  /** The worst slice of all runs, relative to its limit. */
  readonly worst: Slice & { readonly seed: number };
  readonly refusedWithoutStranger: number;
  readonly stranger: { readonly sent: number; readonly refused: number };
  readonly use: Readonly<Partial<Record<Lane, Use>>>;
  readonly modeChangesPerMinuteMax: number;
  readonly baseline: {
    readonly runs: number;
    readonly overLimit: number;
    readonly mean: number;
    readonly worst: Slice & { readonly seed: number };
  };
  readonly failures: readonly { readonly seed: number; readonly violations: readonly string[] }[];
}

const NO_SLICE = { quotaId: '', count: 0, limit: 1, fromMs: 0, toMs: 0, seed: 0 };

export class Reporter {
  private runs = 0;
  private sent = 0;
  private worst = NO_SLICE;
  private refusedWithoutStranger = 0;
  private modeChangesPerMinuteMax = 0;
  private readonly byKind: Record<string, number> = {};
  private readonly byUpstream: Record<string, number> = {};
  private readonly stranger = { sent: 0, refused: 0 };
  private readonly use: Partial<Record<Lane, Use>> = {};
  private readonly baseline = { runs: 0, overLimit: 0, mean: 0, worst: NO_SLICE };
  private readonly failures: { seed: number; violations: string[] }[] = [];

  constructor(private readonly firstSeed: number) {}

  addRun(run: RunResult): void {
    this.runs += 1;
    this.sent += run.sent;
    this.byKind[run.kind] = (this.byKind[run.kind] ?? 0) + 1;
    this.byUpstream[run.upstream] = (this.byUpstream[run.upstream] ?? 0) + 1;
    this.worst = worse(this.worst, { ...run.worst, seed: run.seed });
    this.modeChangesPerMinuteMax = Math.max(this.modeChangesPerMinuteMax, run.modeChangesPerMinuteMax);
    if (run.kind === 'stranger') {
      this.stranger.sent += run.settledRefusals.sent;
      this.stranger.refused += run.settledRefusals.refused;
    } else this.refusedWithoutStranger += run.refusedByUpstream;
    const violations = [...run.violations];
    for (const [lane, share] of Object.entries(run.use) as [Lane, number][]) {
      const use = (this.use[lane] ??= { runs: 0, sum: 0, least: Infinity, leastSeed: 0 });
      use.runs += 1;
      use.sum += share;
      if (share < use.least) Object.assign(use, { least: share, leastSeed: run.seed });
      if (lane !== 'direct' && share < USE_MIN) violations.push(`use: lane ${lane} had ${percent(share)} of its ceiling`);
    }
    if (violations.length > 0) this.failures.push({ seed: run.seed, violations });
  }

  addBaseline(seed: number, worst: Slice): void {
    this.baseline.runs += 1;
    this.baseline.mean += (worst.count - this.baseline.mean) / this.baseline.runs;
    if (worst.count > worst.limit) this.baseline.overLimit += 1;
    this.baseline.worst = worse(this.baseline.worst, { ...worst, seed });
  }

  addFailure(seed: number, violations: string[]): void {
    this.failures.push({ seed, violations });
  }

  report(): Report {
    const { stranger } = this;
    const failures = [...this.failures];
    if (stranger.refused * SENT_PER_REFUSAL_MIN > stranger.sent)
      failures.push({
        seed: this.firstSeed,
        violations: [`Q4: ${stranger.refused} of ${stranger.sent} calls refused beside a stranger`],
      });
    const { runs, firstSeed, sent, byKind, byUpstream, worst, refusedWithoutStranger, use, modeChangesPerMinuteMax, baseline } =
      this;
    return {
      runs,
      firstSeed,
      sent,
      byKind,
      byUpstream,
      worst,
      refusedWithoutStranger,
      stranger,
      use,
      modeChangesPerMinuteMax,
      baseline,
      failures,
    };
  }
}

export function reportText(report: Report): string {
  const { worst, baseline, stranger } = report;
  const lines = [
    `runs                 ${report.runs}, seeds ${report.firstSeed} to ${report.firstSeed + report.runs - 1}: ` +
      SCENARIO_KINDS.map((kind) => `${report.byKind[kind] ?? 0} ${kind}`).join(', '),
    `upstream models      ${Object.entries(report.byUpstream)
      .map(([model, runs]) => `${runs} ${model}`)
      .join(', ')}`,
    `calls sent           ${report.sent}`,
    `worst 60-s slice     ${sliceText(worst)}`,
    `refused by upstream  ${report.refusedWithoutStranger} without a stranger`,
    `beside a stranger    ${stranger.refused} of ${stranger.sent} calls refused after five minutes` +
      (stranger.refused > 0 ? ` (1 in ${Math.floor(stranger.sent / stranger.refused)})` : ''),
    `mode changes         at most ${report.modeChangesPerMinuteMax} in a minute`,
    ...LANES.flatMap((lane) => {
      const use = report.use[lane];
      if (use === undefined) return [];
      const least = `least ${percent(use.least)} (seed ${use.leastSeed})`;
      return [`use of ${lane.padEnd(13)} mean ${percent(use.sum / use.runs)}, ${least}, ${use.runs} runs`];
    }),
    `case study's counter ${sliceText(baseline.worst)}; mean of the worst slices ${Math.round(baseline.mean)}; ` +
      `over the limit in ${baseline.overLimit} of ${baseline.runs} runs`,
    `violations           ${report.failures.length === 0 ? 'none' : `${report.failures.length} runs`}`,
    ...report.failures
      .slice(0, 20)
      .flatMap(({ seed, violations }) => violations.map((text) => `  --seed ${seed} --runs 1: ${text}`)),
  ];
  return lines.join('\n');
}

function sliceText({ count, limit, quotaId, fromMs, toMs, seed }: Slice & { seed: number }): string {
  return `${count} of ${limit} (${quotaId}, from ${Math.round(fromMs)} to ${Math.round(toMs)} ms, seed ${seed})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function worse<T extends Slice>(one: T, other: T): T {
  return other.count / other.limit > one.count / one.limit ? other : one;
}

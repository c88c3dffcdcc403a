/** What can go wrong on purpose, and when. */
import type { QuotaMetric, QuotaScope } from '@app/sheets-wire';

export const FAULTS = [
  '429',
  '500',
  '503',
  'apply-then-503',
  'apply-late',
  'lagging-reads',
  'hang',
  'cut',
  'cut-after-apply',
  'html-502',
  'latency',
  'refuse-text',
] as const;

export type Fault = (typeof FAULTS)[number];

export interface FaultRule {
  readonly fault: Fault;
  readonly on?: 'read' | 'write' | 'any';
  readonly spreadsheetId?: string;
  /** Part of the path. */
  readonly path?: string;
  readonly method?: string;
  /** So many calls that fit pass first. */
  readonly after?: number;
  /** From so long after the plan was set, on the mock's clock. */
  readonly fromMs?: number;
  /** Until then, likewise. */
  readonly untilMs?: number;
  /** How often it happens; absent: until the plan is replaced. */
  readonly times?: number;
  /** On every nth call that fits. */
  readonly every?: number;
  readonly probability?: number;
  /** Of apply-late, lagging-reads and latency. */
  readonly delayMs?: number;
  /** Of refuse-text. */
  readonly text?: string;
  /** Of 429. */
  readonly metric?: QuotaMetric;
  readonly scope?: QuotaScope;
  readonly limitValue?: number;
}

export interface FaultPlan {
  readonly seed?: number;
  readonly latencyMs?: number;
  readonly latencyJitterMs?: number;
  readonly acceptClashingMetadataIds?: boolean;
  readonly rules?: readonly FaultRule[];
}

/** Used where a rule tells no delay. */
export const DEFAULT_DELAY_MS: Readonly<Partial<Record<Fault, number>>> = {
  'apply-late': 5_000,
  'lagging-reads': 5_000,
  latency: 1_000,
};

export function delayOf(rule: FaultRule): number {
  return rule.delayMs ?? DEFAULT_DELAY_MS[rule.fault] ?? 0;
}

/** Faults that only make sense where something is written. */
export const WRITE_FAULTS: ReadonlySet<Fault> = new Set<Fault>(['apply-late', 'refuse-text']);

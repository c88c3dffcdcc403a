/** Numbers and names as people read them; one place, so that the page, the summary and the picture say the same. */
import type { Outcome } from '../load/outcomes';

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  upstream: 'served by the upstream',
  view: 'read from the view',
  accepted: 'write accepted (202)',
  refused: 'lost: refused (429)',
  missing: 'lost: own write not shown (404)',
  failed: 'lost: other error',
};

/** Between a number and its unit: they stay on one line. */
export const NO_BREAK = '\u00a0';

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function percent(part: number, of = 1): string {
  if (of === 0) return '–';
  const share = (100 * part) / of;
  return `${share === 0 || share === 100 ? share : share.toFixed(1)}${NO_BREAK}%`;
}

export function milliseconds(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value < 10 ? value.toFixed(1) : count(value);
}

/** Two digits that matter are enough for what people compare. */
export function seconds(valueMs: number): string {
  if (!Number.isFinite(valueMs)) return '–';
  const value = valueMs / 1_000;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${NO_BREAK}s`;
}

export function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}

export function decimal(value: number, digits: number): string {
  return !Number.isFinite(value) ? '–' : value.toFixed(digits);
}

import type { ExtendedValue } from '@app/sheets-wire';

const collator = new Intl.Collator('en', { sensitivity: 'accent' });

/** Numbers before texts before truth values, errors after them; blanks come last in either direction. */
export function compareValues(a: ExtendedValue | undefined, b: ExtendedValue | undefined, descending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = rank(a) - rank(b) || withinRank(a, b);
  return descending ? -order : order;
}

function rank(value: ExtendedValue): number {
  if (value.numberValue !== undefined) return 0;
  if (value.stringValue !== undefined) return 1;
  return value.boolValue !== undefined ? 2 : 3;
}

function withinRank(a: ExtendedValue, b: ExtendedValue): number {
  if (a.numberValue !== undefined && b.numberValue !== undefined) return a.numberValue - b.numberValue;
  if (a.stringValue !== undefined && b.stringValue !== undefined) return collator.compare(a.stringValue, b.stringValue);
  return Number(a.boolValue ?? false) - Number(b.boolValue ?? false);
}

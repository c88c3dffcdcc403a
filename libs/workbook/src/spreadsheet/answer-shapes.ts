/** The id 0 is the default of a plain number, so the service leaves it out of ranges. */
export function withoutZeroSheet<T extends { readonly sheetId?: number }>(range: T): T {
  if (range.sheetId !== 0) return range;
  const { sheetId: _zero, ...rest } = range;
  return rest as T;
}

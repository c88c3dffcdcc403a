import { parseReference, type GridRange, type NamedRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { withoutZeroSheet } from '../answer-shapes';
import { areaOf } from '../areas';
import { namesAll, requiredMask } from '../masked-update';
import type { Transaction } from '../transaction';
import { NO_REPLY, type RequestHandler } from './handler';

export const addNamedRange: RequestHandler<{ readonly namedRange?: Partial<NamedRange> }> = (
  transaction,
  { namedRange = {} },
) => {
  const { name = '', range } = namedRange;
  checkName(transaction, name);
  const isUsed = (id: string) => transaction.namedRanges.some((one) => one.namedRangeId === id);
  if (namedRange.namedRangeId !== undefined && isUsed(namedRange.namedRangeId)) {
    throw invalid(`A named range with id ${namedRange.namedRangeId} already exists.`);
  }
  const namedRangeId = namedRange.namedRangeId ?? String(transaction.newId((id) => isUsed(String(id))));
  const added = { namedRangeId, name, range: checkedRange(transaction, range) };
  transaction.namedRanges = [...transaction.namedRanges, added];
  return { addNamedRange: { namedRange: { ...added, range: withoutZeroSheet(added.range) } } };
};

export const updateNamedRange: RequestHandler<{ readonly namedRange?: Partial<NamedRange>; readonly fields?: string }> = (
  transaction,
  { namedRange = {}, fields },
) => {
  const mask = requiredMask(fields, 'namedRange');
  const before = transaction.namedRanges.find((one) => one.namedRangeId === namedRange.namedRangeId);
  if (!before) throw noNamedRange(namedRange.namedRangeId);
  const named = (field: string) => namesAll(mask) || mask.children.has(field);
  if (named('name') && namedRange.name !== before.name) checkName(transaction, namedRange.name ?? '');
  const after: NamedRange = {
    ...before,
    ...(named('name') ? { name: namedRange.name ?? '' } : {}),
    ...(named('range') ? { range: checkedRange(transaction, namedRange.range) } : {}),
  };
  transaction.namedRanges = transaction.namedRanges.map((one) => (one === before ? after : one));
  return NO_REPLY;
};

export const deleteNamedRange: RequestHandler<{ readonly namedRangeId?: string }> = (transaction, { namedRangeId }) => {
  const left = transaction.namedRanges.filter((one) => one.namedRangeId !== namedRangeId);
  if (left.length === transaction.namedRanges.length) throw noNamedRange(namedRangeId);
  transaction.namedRanges = left;
  return NO_REPLY;
};

function noNamedRange(id: string | undefined) {
  return invalid(`No named range with id: ${id ?? ''}`);
}

function checkName(transaction: Transaction, name: string): void {
  const isWord = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && !/^(true|false)$/i.test(name);
  if (!isWord || parseReference(name) !== undefined) throw invalid('The name given to this range is invalid');
  if (transaction.namedRanges.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
    throw invalid(`A named range with the name "${name}" already exists.`);
  }
}

/** Where it lies has to exist; it is kept as it was given. */
function checkedRange(transaction: Transaction, range: GridRange | undefined): GridRange {
  areaOf(transaction, range);
  return { ...range, sheetId: range?.sheetId ?? 0 };
}

/** Protected ranges and filters: kept and answered; nobody is kept out by them, since the mock knows no owner. */
import type { GridRange } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { withoutZeroSheet } from '../answer-shapes';
import { areaOf, closedRange } from '../areas';
import { maskedUpdate, requiredMask } from '../masked-update';
import type { ProtectedRange } from '../state';
import type { SheetDraft, Transaction } from '../transaction';
import { NO_REPLY, type RequestHandler } from './handler';

type Given = Partial<ProtectedRange> & { readonly editors?: object };

/** Who a protected range lists: the only account that the mock has. */
const EDITORS = { users: ['mock@example.com'] };

export const addProtectedRange: RequestHandler<{ readonly protectedRange?: Given }> = (transaction, { protectedRange = {} }) => {
  const { range, description, warningOnly, protectedRangeId: wanted } = protectedRange;
  const place = areaOf(transaction, range);
  const isUsed = (id: number) => allProtected(transaction).some((one) => one.protectedRangeId === id);
  if (wanted !== undefined && isUsed(wanted)) throw invalid(`A protected range with id ${wanted} already exists.`);
  const protectedRangeId = wanted ?? transaction.newId(isUsed);
  const shape = {
    protectedRangeId,
    range: { sheetId: place.sheet.sheetId, ...range },
    ...(description ? { description } : {}),
    ...(warningOnly ? { warningOnly } : {}),
    requestingUserCanEdit: true,
  };
  place.sheet.protectedRanges = [...place.sheet.protectedRanges, { ...shape, editors: EDITORS }];
  return { addProtectedRange: { protectedRange: { ...shape, range: withoutZeroSheet(shape.range), editors: {} } } };
};

export const updateProtectedRange: RequestHandler<{ readonly protectedRange?: Given; readonly fields?: string }> = (
  transaction,
  { protectedRange = {}, fields },
) => {
  const mask = requiredMask(fields, 'protectedRange');
  const { sheet, found } = findProtected(transaction, protectedRange.protectedRangeId);
  const updated = { ...maskedUpdate({ ...found }, { ...protectedRange }, mask), protectedRangeId: found.protectedRangeId };
  sheet.protectedRanges = sheet.protectedRanges.map((one) => (one === found ? updated : one));
  return NO_REPLY;
};

export const deleteProtectedRange: RequestHandler<{ readonly protectedRangeId?: number }> = (
  transaction,
  { protectedRangeId },
) => {
  const { sheet, found } = findProtected(transaction, protectedRangeId);
  sheet.protectedRanges = sheet.protectedRanges.filter((one) => one !== found);
  return NO_REPLY;
};

export const setBasicFilter: RequestHandler<{ readonly filter?: { readonly range?: GridRange } }> = (
  transaction,
  { filter = {} },
) => {
  const place = areaOf(transaction, filter.range);
  place.sheet.basicFilter = { ...filter, range: closedRange(place) };
  return NO_REPLY;
};

export const clearBasicFilter: RequestHandler<{ readonly sheetId?: number }> = (transaction, { sheetId }) => {
  transaction.sheet(sheetId).basicFilter = undefined;
  return NO_REPLY;
};

function allProtected(transaction: Transaction): ProtectedRange[] {
  return transaction.sheets.flatMap((sheet) => sheet.protectedRanges);
}

function findProtected(transaction: Transaction, id: number | undefined): { sheet: SheetDraft; found: ProtectedRange } {
  for (const { properties, protectedRanges } of transaction.sheets) {
    const found = protectedRanges.find((one) => one.protectedRangeId === id);
    if (found) return { sheet: transaction.sheet(properties.sheetId), found };
  }
  throw invalid(`No protected range with id: ${id ?? 0}`);
}

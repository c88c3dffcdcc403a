/** Requests about developer metadata. */
import type { DataFilter, DeveloperMetadata, DeveloperMetadataLocation } from '@app/sheets-wire';
import { invalid } from '../../wire/api-error';
import { dimensionOf } from '../areas';
import { maskedUpdate, namesAll, requiredMask } from '../masked-update';
import { selectMetadata } from '../metadata-lookup';
import { metadataAnswer } from '../spreadsheet-answer';
import type { StoredMetadata } from '../state';
import type { Transaction } from '../transaction';
import type { RequestHandler } from './handler';

/** Characters of keys and values that one spreadsheet, and each of its sheets, may hold. Source: "Read & write metadata", limits. */
const STORAGE_CHARACTERS_MAX = 30_000;

export const createDeveloperMetadata: RequestHandler<{ readonly developerMetadata?: DeveloperMetadata }> = (
  transaction,
  request,
) => {
  const given = request.developerMetadata ?? {};
  if (!given.metadataKey) throw invalid('DeveloperMetadata.metadataKey must be specified.');
  if (!given.visibility) throw invalid('DeveloperMetadata.visibility must be specified.');
  const location = storedLocation(transaction, given.location);
  const entry: StoredMetadata = {
    ...given,
    metadataId: chosenId(transaction, given.metadataId),
    location,
    visibility: given.visibility,
  };
  const store = sheetOf(location);
  const used = transaction.metadata
    .filter((one) => sheetOf(one.location) === store)
    .reduce((sum, one) => sum + charactersOf(one), 0);
  if (used + charactersOf(entry) > STORAGE_CHARACTERS_MAX) {
    throw invalid('Adding the requested developer metadata would exceed the allowed storage limit');
  }
  transaction.metadata = [...transaction.metadata, entry];
  return { createDeveloperMetadata: { developerMetadata: metadataAnswer(entry) } };
};

interface UpdateRequest {
  readonly dataFilters?: readonly DataFilter[];
  readonly developerMetadata?: DeveloperMetadata;
  readonly fields?: string;
}

export const updateDeveloperMetadata: RequestHandler<UpdateRequest> = (
  transaction,
  { dataFilters = [], developerMetadata = {}, fields },
) => {
  const mask = requiredMask(fields, 'developerMetadata');
  if (dataFilters.length === 0) throw invalid('Must specify at least one dataFilter.');
  const selected = new Set(dataFilters.flatMap((filter) => selectMetadata(transaction.metadata, filter)));
  const updated: StoredMetadata[] = [];
  transaction.metadata = transaction.metadata.map((entry) => {
    if (!selected.has(entry)) return entry;
    const changed = maskedUpdate({ ...entry }, { ...developerMetadata }, mask) as unknown as StoredMetadata;
    const moves = (namesAll(mask) || mask.children.has('location')) && developerMetadata.location !== undefined;
    const whole = {
      ...changed,
      metadataId: entry.metadataId,
      visibility: changed.visibility ?? entry.visibility,
      location: moves ? storedLocation(transaction, developerMetadata.location) : entry.location,
    };
    updated.push(whole);
    return whole;
  });
  return { updateDeveloperMetadata: updated.length > 0 ? { developerMetadata: updated.map(metadataAnswer) } : {} };
};

export const deleteDeveloperMetadata: RequestHandler<{ readonly dataFilter?: DataFilter }> = (transaction, { dataFilter }) => {
  if (!dataFilter) throw invalid('dataFilter must be specified.');
  const selected = new Set(selectMetadata(transaction.metadata, dataFilter));
  transaction.metadata = transaction.metadata.filter((entry) => !selected.has(entry));
  const deleted = [...selected].map(metadataAnswer);
  return { deleteDeveloperMetadata: deleted.length > 0 ? { deletedDeveloperMetadata: deleted } : {} };
};

function chosenId(transaction: Transaction, wanted: number | undefined): number {
  const isUsed = (id: number) => transaction.metadata.some((entry) => entry.metadataId === id);
  if (wanted === undefined) return transaction.newId(isUsed);
  if (isUsed(wanted) && !transaction.options.acceptClashingMetadataIds) {
    throw invalid(`Developer metadata with id ${wanted} already exists.`);
  }
  return wanted;
}

function storedLocation(transaction: Transaction, given: DeveloperMetadataLocation | undefined): DeveloperMetadataLocation {
  if (given?.spreadsheet) return { locationType: 'SPREADSHEET', spreadsheet: true };
  const range = given?.dimensionRange;
  if (range) {
    transaction.sheet(range.sheetId);
    const { startIndex, endIndex } = range;
    if (startIndex === undefined || endIndex === undefined)
      throw invalid('DimensionRange must specify both a startIndex and an endIndex.');
    if (endIndex - startIndex !== 1) throw invalid('DimensionRange must represent a single row or column.');
    return { locationType: dimensionOf(range.dimension) === 'ROWS' ? 'ROW' : 'COLUMN', dimensionRange: range };
  }
  if (given?.sheetId === undefined) throw invalid('DeveloperMetadata.location must be specified.');
  transaction.sheet(given.sheetId);
  return { locationType: 'SHEET', sheetId: given.sheetId };
}

function sheetOf(location: DeveloperMetadataLocation): number | undefined {
  return location.spreadsheet ? undefined : (location.sheetId ?? location.dimensionRange?.sheetId ?? 0);
}

function charactersOf({ metadataKey = '', metadataValue = '' }: StoredMetadata): number {
  return metadataKey.length + metadataValue.length;
}

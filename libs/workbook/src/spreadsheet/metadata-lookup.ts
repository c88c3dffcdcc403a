/** Which developer metadata a data filter finds. */
import type { DataFilter, DeveloperMetadataLocation, DeveloperMetadataLookup } from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import type { StoredMetadata } from './state';

export function matchesLookup(entry: StoredMetadata, lookup: DeveloperMetadataLookup): boolean {
  if (lookup.metadataId !== undefined && lookup.metadataId !== entry.metadataId) return false;
  if (lookup.metadataKey !== undefined && lookup.metadataKey !== (entry.metadataKey ?? '')) return false;
  if (lookup.metadataValue !== undefined && lookup.metadataValue !== (entry.metadataValue ?? '')) return false;
  if (lookup.visibility !== undefined && lookup.visibility !== entry.visibility) return false;
  if (lookup.locationType !== undefined && lookup.locationType !== entry.location.locationType) return false;
  return lookup.metadataLocation === undefined || matchesLocation(entry.location, lookup);
}

export function checkLookup(lookup: DeveloperMetadataLookup): void {
  if (lookup.locationMatchingStrategy !== undefined && lookup.metadataLocation === undefined) {
    throw invalid('A locationMatchingStrategy was specified, but no metadataLocation was specified: lookups must always specify a metadataLocation when specifying a locationMatchingStrategy.'); // prettier-ignore
  }
  if (lookup.metadataLocation?.spreadsheet && lookup.locationMatchingStrategy === 'INTERSECTING_LOCATION') {
    throw invalid('DeveloperMetadataLookup.spreadsheet is true, but locationMatchingStrategy was specified as INTERSECTING.');
  }
}

function matchesLocation(location: DeveloperMetadataLocation, lookup: DeveloperMetadataLookup): boolean {
  const asked = lookup.metadataLocation!;
  const intersecting = lookup.locationMatchingStrategy !== 'EXACT_LOCATION' && !asked.spreadsheet;
  if (asked.spreadsheet) return location.spreadsheet === true;
  const sheetId = location.sheetId ?? location.dimensionRange?.sheetId;
  if (asked.dimensionRange === undefined) {
    return (
      (asked.sheetId ?? 0) === (sheetId ?? (location.dimensionRange ? 0 : -1)) &&
      (intersecting || location.dimensionRange === undefined)
    );
  }
  const range = location.dimensionRange;
  const wanted = asked.dimensionRange;
  if (!range || (range.sheetId ?? 0) !== (wanted.sheetId ?? 0) || range.dimension !== wanted.dimension) return false;
  const [start, end] = [range.startIndex ?? 0, range.endIndex ?? 0];
  const [from, to] = [wanted.startIndex ?? 0, wanted.endIndex ?? Infinity];
  return intersecting ? start < to && end > from : start === from && end === to;
}

/** The entries that a filter of a metadata request selects: by lookup, or by the place that a range names. */
export function selectMetadata(entries: readonly StoredMetadata[], filter: DataFilter): StoredMetadata[] {
  const lookup = filter.developerMetadataLookup;
  if (!lookup) return [];
  checkLookup(lookup);
  return entries.filter((entry) => matchesLookup(entry, lookup));
}

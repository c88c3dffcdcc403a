/** Data filters and developer metadata. */
import { any, bool, enumeration, int32, int32Value, list, message, string } from '../wire/schema';

const dimension = enumeration('Dimension', 'DIMENSION_UNSPECIFIED', 'ROWS', 'COLUMNS');

export const gridRange = message('GridRange', {
  sheetId: int32,
  startRowIndex: int32Value,
  endRowIndex: int32Value,
  startColumnIndex: int32Value,
  endColumnIndex: int32Value,
});

export const dimensionRange = message('DimensionRange', {
  sheetId: int32,
  dimension,
  startIndex: int32Value,
  endIndex: int32Value,
});

const locationType = enumeration(
  'DeveloperMetadataLocationType',
  'DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED',
  'ROW',
  'COLUMN',
  'SHEET',
  'SPREADSHEET',
);
const visibility = enumeration('DeveloperMetadataVisibility', 'DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED', 'DOCUMENT', 'PROJECT');

const metadataLocation = message(
  'DeveloperMetadataLocation',
  { locationType, spreadsheet: bool, sheetId: int32, dimensionRange },
  { name: 'location', members: ['spreadsheet', 'sheetId', 'dimensionRange'] },
);

export const developerMetadata = message('DeveloperMetadata', {
  metadataId: int32,
  metadataKey: string,
  metadataValue: string,
  location: metadataLocation,
  visibility,
});

export const developerMetadataLookup = message('DeveloperMetadataLookup', {
  locationType,
  metadataLocation,
  locationMatchingStrategy: enumeration(
    'DeveloperMetadataLocationMatchingStrategy',
    'DEVELOPER_METADATA_LOCATION_MATCHING_STRATEGY_UNSPECIFIED',
    'EXACT_LOCATION',
    'INTERSECTING_LOCATION',
  ),
  metadataId: int32,
  metadataKey: string,
  metadataValue: string,
  visibility,
});

export const dataFilter = message(
  'DataFilter',
  { a1Range: string, gridRange, developerMetadataLookup },
  { name: 'filter', members: ['a1Range', 'gridRange', 'developerMetadataLookup'] },
);

export const searchBody = message('SearchDeveloperMetadataRequest', { dataFilters: list(dataFilter) });
export const searchAnswer = message('SearchDeveloperMetadataResponse', {
  matchedDeveloperMetadata: list(message('MatchedDeveloperMetadata', { developerMetadata, dataFilters: any })),
});

/** The methods that name their cells by data filters. */
import { formatRange, type DataFilter, type Dimension } from '@app/sheets-wire';
import { CellReader } from '../../spreadsheet/cell-reader';
import { echoedFilter, placeKey, selectRanges, type Selected } from '../../spreadsheet/data-filter';
import { spreadsheetAnswer } from '../../spreadsheet/spreadsheet-answer';
import type { WorkbookState } from '../../spreadsheet/state';
import { readRange } from '../../spreadsheet/values-read';
import { clearValues, matrixOf, writeUpdate, type Written } from '../../spreadsheet/values-write';
import type { Answer, Call } from '../call';
import { inputOption, majorDimensionOf, readOptions, responseOptions } from '../render-options';
import { invalid } from '../../wire/api-error';
import { maskedView } from './spreadsheets';
import { inPart, totals, updateAnswer } from './values-write';

export function getByDataFilter(call: Call): Answer {
  const book = call.book();
  const filters = (call.body['dataFilters'] as DataFilter[] | undefined) ?? [];
  const selected = filters.flatMap((filter) => selectRanges(book, filter, (sheetId) => `No sheet with id: ${sheetId}`));
  const ranges = [...new Map(selected.map((one) => [placeKey(one), one.range])).values()];
  const view = maskedView(call.mask, call.body['includeGridData'] === true);
  // Filters that find nothing filter nothing: the whole spreadsheet is the answer.
  return spreadsheetAnswer(book, ranges.length > 0 ? { ...view, ranges } : view);
}

export function batchGetByDataFilter(call: Call): Answer {
  const book = call.book();
  const reader = new CellReader(book);
  const options = readOptions(call.body);
  const valueRanges = grouped(book, requiredFilters(call)).map(({ selected, filters }) => {
    const { range, empty } = selected;
    const valueRange = empty ? { range: '#REF!', majorDimension: options.majorDimension } : readRange(range, reader, options);
    return { valueRange, dataFilters: filters.map(echoedFilter) };
  });
  return { spreadsheetId: book.spreadsheetId, ...(valueRanges.length > 0 ? { valueRanges } : {}) };
}

export function batchClearByDataFilter(call: Call): Answer {
  const filters = requiredFilters(call);
  return call.edit((transaction) => {
    const places = grouped(transaction.view(), filters).filter(({ selected }) => !selected.empty);
    const clearedRanges = places.map(({ selected: { range } }) => {
      clearValues(transaction.sheet(range.sheet.sheetId), range);
      return formatRange(range.sheet.title, range);
    });
    return { spreadsheetId: call.spreadsheetId, ...(clearedRanges.length > 0 ? { clearedRanges } : {}) };
  });
}

interface FilteredValues {
  readonly dataFilter?: DataFilter;
  readonly majorDimension?: Dimension;
  readonly values?: readonly (readonly unknown[])[];
}

export function batchUpdateByDataFilter(call: Call): Answer {
  const option = inputOption(call.body);
  const data = (call.body['data'] as FilteredValues[] | undefined) ?? [];
  return call.edit((transaction) => {
    const all: Written[] = [];
    const pending = data.flatMap((part, index) =>
      inPart(`Invalid data[${index}]`, () => {
        const { dataFilter } = part;
        if (!dataFilter) throw invalid('dataFilter must be specified.');
        const majorDimension = majorDimensionOf(part.majorDimension);
        const matrix = matrixOf(part.values ?? [], majorDimension);
        return selectRanges(transaction.view(), dataFilter, noGrid).map(({ range }) => {
          const written = writeUpdate(transaction, range, matrix, option);
          all.push(written);
          return { written, dataFilter, read: responseOptions(call.body, majorDimension) };
        });
      }),
    );
    const responses = pending.map(({ written, dataFilter, read }) => {
      const { updatedData, ...counts } = updateAnswer(transaction, written, read);
      return { ...counts, dataFilter: echoedFilter(dataFilter), ...(updatedData ? { updatedData } : {}) };
    });
    return { spreadsheetId: call.spreadsheetId, ...totals(all), ...(responses.length > 0 ? { responses } : {}) };
  });
}

const noGrid = (sheetId: number) => `No grid with id: ${sheetId}`;

function requiredFilters(call: Call): readonly DataFilter[] {
  const filters = (call.body['dataFilters'] as DataFilter[] | undefined) ?? [];
  if (filters.length === 0) throw invalid('Must specify at least one dataFilter.');
  return filters;
}

interface Group {
  readonly selected: Selected;
  readonly filters: DataFilter[];
}

/** One group for each rectangle, in the order of the sheet: tab, column, row. */
function grouped(book: WorkbookState, filters: readonly DataFilter[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, filter] of filters.entries()) {
    for (const selected of inPart(`Invalid dataFilter[${index}]`, () => selectRanges(book, filter, noGrid))) {
      const group = groups.get(placeKey(selected));
      if (group) group.filters.push(filter);
      else groups.set(placeKey(selected), { selected, filters: [filter] });
    }
  }
  return [...groups.values()].sort(({ selected: { range: a } }, { selected: { range: b } }) => {
    return a.sheet.index - b.sheet.index || a.startColumn - b.startColumn || a.startRow - b.startRow;
  });
}

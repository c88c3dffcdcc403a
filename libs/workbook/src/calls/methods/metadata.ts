import type { DataFilter } from '@app/sheets-wire';
import { selectMetadata } from '../../spreadsheet/metadata-lookup';
import { metadataAnswer } from '../../spreadsheet/spreadsheet-answer';
import type { Answer, Call } from '../call';
import { invalid, notFound } from '../../wire/api-error';

export function getMetadata(call: Call): Answer {
  const entry = call.book().metadata.find(({ metadataId }) => metadataId === call.metadataId);
  if (!entry) throw notFound();
  return { ...metadataAnswer(entry) };
}

export function searchMetadata(call: Call): Answer {
  const filters = (call.body['dataFilters'] as DataFilter[] | undefined) ?? [];
  const { metadata } = call.book();
  if (filters.length === 0) throw invalid('Must specify at least one dataFilter.');
  const selections = filters.map((filter) => ({ filter, selected: new Set(selectMetadata(metadata, filter)) }));
  const matched = metadata.flatMap((entry) => {
    const dataFilters = selections.filter(({ selected }) => selected.has(entry)).map(({ filter }) => filter);
    return dataFilters.length > 0 ? { developerMetadata: metadataAnswer(entry), dataFilters } : [];
  });
  return matched.length > 0 ? { matchedDeveloperMetadata: matched } : {};
}

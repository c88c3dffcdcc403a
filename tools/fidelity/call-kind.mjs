import { URLSearchParams } from 'node:url';

/** The kind of a recorded call, in the API's own words: `values.get`, `batchUpdate: addSheet`, `spreadsheets.get with fields`. */
export function kindOf({ method, path, body }) {
  const [route, query] = path.split('?');
  const [, , , , resource = ''] = route.split('/').map(decodeURIComponent);
  const verb = /:([A-Za-z]+)$/.exec(route)?.[1];
  if (resource === 'values' || resource.startsWith('values:')) {
    const isVerb = resource.includes(':') || /^(append|clear)$/.test(verb ?? '');
    return `values.${isVerb ? verb : method === 'PUT' ? 'update' : 'get'}`;
  }
  if (resource === 'sheets') return `sheets.${verb}`;
  if (resource.startsWith('developerMetadata')) return `developerMetadata.${verb ?? 'get'}`;
  if (verb === 'batchUpdate') {
    const kinds = (body?.requests ?? []).flatMap((request) => Object.keys(request));
    return `batchUpdate: ${[...new Set(kinds)].join(', ')}`;
  }
  if (verb) return `spreadsheets.${verb}`;
  if (method === 'POST') return 'spreadsheets.create';
  return new URLSearchParams(query).has('fields') ? 'spreadsheets.get with fields' : 'spreadsheets.get';
}

/**
 * Finds the method of a raw, still encoded path. The verb is what follows the last `:` and is one of the known verbs, since
 * the title of a sheet may hold a `:` too; only then is each part decoded, once. A slash before the verb is accepted.
 */
import { METHODS, type Method } from './method-table';

export interface Route {
  readonly method: Method;
  readonly spreadsheetId: string;
  /** The decoded last part: a range, a sheet's id or an entry's id. */
  readonly last: string;
}

const PREFIX = '/v4/spreadsheets';
const VERBS = new Set(Object.keys(METHODS).flatMap((key) => (key.includes(':') ? [key.slice(key.lastIndexOf(':') + 1)] : [])));

export function findRoute(httpMethod: string, rawPath: string): Route | undefined {
  if (!rawPath.startsWith(PREFIX)) return undefined;
  const rest = rawPath.slice(PREFIX.length);
  if (rest === '' || rest === '/') return routeOf(`${httpMethod} spreadsheets`, '', '');
  if (!rest.startsWith('/')) return undefined;
  const { path, verb } = splitVerb(rest.slice(1));
  const [rawId = '', resource, ...lastParts] = path.split('/');
  // `ID/` and `ID/:verb` are spellings of `ID` and `ID:verb`.
  if (resource === undefined || (resource === '' && lastParts.length === 0)) return routeOf(`${httpMethod} ID${verb}`, rawId, '');
  const rawLast = lastParts.join('/');
  return routeOf(`${httpMethod} ID/${resource}${lastParts.length > 0 ? '/*' : ''}${verb}`, rawId, rawLast);
}

function routeOf(key: string, rawId: string, rawLast: string): Route | undefined {
  const method = Object.hasOwn(METHODS, key) ? METHODS[key] : undefined;
  return method && { method, spreadsheetId: decode(rawId), last: decode(rawLast) };
}

function splitVerb(path: string): { path: string; verb: string } {
  const colon = path.lastIndexOf(':');
  const word = path.slice(colon + 1);
  return colon >= 0 && VERBS.has(word) ? { path: path.slice(0, colon), verb: `:${word}` } : { path, verb: '' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

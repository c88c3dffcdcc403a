/** Query parameters of every method: `alt`, `callback`, `$.xgafv`. Of repeats of the first two the first counts. */
import { badRequest, invalid } from './api-error';

/** Refuses what the service refuses; `isGet` because a callback counts on GET only. */
export function checkSystemParameters(query: URLSearchParams, isGet: boolean): void {
  for (const value of query.getAll('$.xgafv')) {
    if (value === '1' || value === '2') continue;
    throw badRequest([
      { description: `Invalid query parameters. Invalid value '${value}' for system query parameter : $.xgafv` },
    ]);
  }
  const callback = query.get('callback');
  if (isGet && callback && !isCallbackName(callback)) {
    throw invalid(`Invalid JSONP callback name: '${callback}'; only alphabet, number, '_', '$', '.', '[' and ']' are allowed.`);
  }
  const alt = query.get('alt') ?? '';
  if (isJson(alt)) return;
  if (alt === 'media') throw invalid('Unsupported alt type "media" for non byte stream request.');
  throw invalid(`Invalid value "${alt}" for query parameter 'alt'`);
}

/** The function that the answer is wrapped in, if any. */
export function callbackOf(query: URLSearchParams, isGet: boolean): string | undefined {
  const callback = query.get('callback');
  return isGet && callback && isJson(query.get('alt') ?? '') ? callback : undefined;
}

function isJson(alt: string): boolean {
  return alt === '' || alt.toLowerCase() === 'json';
}

function isCallbackName(name: string): boolean {
  return /^[A-Za-z0-9_$.[\]]+$/.test(name);
}

/** An answer as the service writes it: indented or not, as a script for a callback, with the older list of errors where asked for. */
import type { GoogleErrorBody } from '@app/sheets-wire';
import { wantsLegacyErrors, withLegacyErrors } from './legacy-errors';
import { serialise } from './serialise';
import { callbackOf } from './system-parameters';

export interface RenderedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface AnswerRequest {
  readonly query: URLSearchParams;
  readonly isGet: boolean;
  /** `User-Agent` and `X-Goog-Api-Client`. */
  readonly userAgent: string;
}

export function renderAnswer({ status, body }: { status: number; body: unknown }, request: AnswerRequest): RenderedAnswer {
  const { query } = request;
  const isError = status !== 200;
  // Errors are always written for people, whatever was asked for.
  const compact = !isError && /^(?:false|0)$/.test(query.get('prettyPrint') ?? '');
  const isLegacy = isError && wantsLegacyErrors(query.get('$.xgafv'), request.userAgent);
  const text = serialise(isLegacy ? withLegacyErrors(body as GoogleErrorBody) : body, { pretty: !compact });
  const callback = callbackOf(query, request.isGet);
  if (callback === undefined) return { status, contentType: 'application/json; charset=UTF-8', text };
  // A script element can read no status, so there is only one.
  const script = `// API callback\n${callback}(${text.trimEnd()}\n);`;
  return { status: 200, contentType: 'text/javascript; charset=UTF-8', text: script };
}

/** What tells the service which library asks. */
export function userAgentOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  return `${String(headers['user-agent'] ?? '')} ${String(headers['x-goog-api-client'] ?? '')}`;
}

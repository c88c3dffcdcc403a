/** Typed query parameters. Of a repeated one the last counts, but each is parsed; system parameters are another matter. */
import { badRequest, type Violation } from './api-error';
import { camelCase, snakeCase, type FieldType } from './schema';
import { typeNameOf } from './proto-json';

export type QuerySchema = Readonly<Record<string, FieldType>>;

const SYSTEM_PARAMETERS = new Set([
  'access_token', 'oauth_token', 'key', 'alt', 'fields', 'prettyPrint', 'quotaUser', 'callback', 'upload_protocol', 'uploadType', '$.xgafv',
  'pretty_print', 'quota_user', 'upload_type',
]); // prettier-ignore

const TRUE_WORDS = new Set(['true', 't', 'y', 'yes', '1']);
const FALSE_WORDS = new Set(['false', 'f', 'n', 'no', '0']);

export function parseQuery(schema: QuerySchema, query: URLSearchParams): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  const violations: Violation[] = [];
  for (const [key, text] of query) {
    if (SYSTEM_PARAMETERS.has(key)) continue;
    const name = Object.hasOwn(schema, key) ? key : camelCase(key);
    const type = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (type === undefined) {
      const description = `Invalid JSON payload received. Unknown name "${key}": Cannot bind query parameter. Field '${key}' could not be found in request message.`;
      violations.push({ description });
      continue;
    }
    if (type.kind === 'list') {
      ((parsed[name] ??= []) as string[]).push(text);
      continue;
    }
    const value = parseText(type, text);
    if (value === undefined) {
      const field = snakeCase(name);
      violations.push({ field, description: `Invalid value at '${field}' (${typeNameOf(type)}), "${text}"` });
    }
    parsed[name] = value;
  }
  if (violations.length > 0) throw badRequest(violations);
  return parsed;
}

function parseText(type: FieldType, text: string): unknown {
  switch (type.kind) {
    case 'bool':
      if (TRUE_WORDS.has(text.toLowerCase())) return true;
      return FALSE_WORDS.has(text.toLowerCase()) ? false : undefined;
    case 'enum':
      if (/^\+?\d+$/.test(text)) return type.names[Number(text)];
      return type.names.find((name) => name === text.toUpperCase().replaceAll('-', '_'));
    default:
      return text;
  }
}

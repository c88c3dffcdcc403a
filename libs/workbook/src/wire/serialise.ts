/** Writes an answer: two spaces of indent and a final newline, or compact; the characters escaped that the service escapes. */

/** In the basic plane; measured on the service, code point by code point. */
const ESCAPED_RANGES = [
  '<>',
  '\\u007f-\\u009f',
  '\\u00ad\\u0600-\\u0603\\u06dd\\u070f\\u17b4\\u17b5',
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u206a-\\u206f',
  '\\ufeff\\ufff9-\\ufffb',
].map((range) => `[${range}]`);
/** Beyond it, as pairs. */
const ESCAPED_PAIRS = ['\\ud834[\\udd73-\\udd7a]', '\\udb40[\\udc01\\udc20-\\udc7f]'];
const ESCAPED = new RegExp([...ESCAPED_RANGES, ...ESCAPED_PAIRS].join('|'), 'g');

export function serialise(body: unknown, { pretty }: { readonly pretty: boolean }): string {
  const text = pretty ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body);
  return text.replace(ESCAPED, escapeAll);
}

function escapeAll(text: string): string {
  let escaped = '';
  for (let index = 0; index < text.length; index += 1) escaped += `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return escaped;
}

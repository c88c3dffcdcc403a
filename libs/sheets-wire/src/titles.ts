import { isReference } from './reference';

/** A tab's title for building a range: always quoted, so that no title is taken for a cell or a name. */
export function quoteTitle(title: string): string {
  return `'${title.replaceAll("'", "''")}'`;
}

/** A tab's title as the service writes it in an answer: quoted only where the bare word would not be read back as a title. */
export function echoTitle(title: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(title) && !isReference(title) ? title : quoteTitle(title);
}

/** The title that a quoted or bare word names. */
export function unquoteTitle(text: string): { readonly title: string; readonly quoted: boolean } {
  const quoted = text.length >= 2 && text.startsWith("'") && text.endsWith("'");
  return quoted ? { title: text.slice(1, -1).replaceAll("''", "'"), quoted } : { title: text, quoted };
}

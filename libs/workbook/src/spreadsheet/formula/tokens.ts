/** Splits a formula into numbers, texts, references, names and operators. */

export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'operator'; readonly text: string };

const PATTERN =
  /\s+|(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)|"((?:[^"]|"")*)"|((?:(?:'(?:[^']|'')*'|[A-Za-z_][\w.]*)!)?\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}(?:\$?\d+)?)?(?![\w(])|(?:(?:'(?:[^']|'')*'|[A-Za-z_][\w.]*)!)?\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w(]))|([A-Za-z_][\w.]*)|(<>|<=|>=|[-+*/^&=<>(),;%])/giy;

/** The tokens, or undefined where the text is no formula that is understood. */
export function tokenize(formula: string): Token[] | undefined {
  const tokens: Token[] = [];
  const pattern = new RegExp(PATTERN);
  while (pattern.lastIndex < formula.length) {
    const match = pattern.exec(formula);
    if (!match) return undefined;
    const [, number, text, reference, name, operator] = match;
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) });
    else if (text !== undefined) tokens.push({ kind: 'text', value: text.replaceAll('""', '"') });
    else if (reference !== undefined) tokens.push({ kind: 'reference', text: reference.replaceAll('$', '') });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
  }
  return tokens;
}

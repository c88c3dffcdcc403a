import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './measurement';

export interface Measured {
  readonly number: number;
  readonly figures: readonly Figure[];
}

/** What the terminal prints is what the documents hold. */
export function markdownTable(machine: string, command: string, measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ number, figures }) =>
    figures.map(({ what, result, target = '', met }) => {
      const verdict = met === undefined ? '' : met ? 'met' : 'not met';
      return `| ${number} | ${what} | ${result} | ${target} | ${verdict} |`;
    }),
  );
  return [`\`${command}\` on ${machine}:`, '', '| | what | result | target | |', '|---|---|---|---|---|', ...lines].join('\n');
}

const BLOCK = /(<!-- bench[^>]*-->\n)[\s\S]*?(<!-- \/bench -->)/;

/** Replaces the marked block of each document. Throws where there is none. */
export function writeDocuments(root: string, table: string): void {
  for (const name of ['README.md', 'docs/PERFORMANCE.md']) {
    const file = join(root, name);
    const text = readFileSync(file, 'utf8');
    if (!BLOCK.test(text)) throw new Error(`${name} has no block between <!-- bench --> and <!-- /bench -->`);
    writeFileSync(
      file,
      text.replace(BLOCK, (_block, start: string, end: string) => `${start}${table}\n${end}`),
    );
  }
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_VARIABLES, VARIABLES } from './variables';

const ROOT = join(__dirname, '../../../..');
const README = join(ROOT, 'README.md');
const BLOCK = /(<!-- configuration: [^\n]*-->\n)[\s\S]*?(<!-- \/configuration -->)/;

function table(): string {
  const rows = Object.entries(VARIABLES).map(([name, spec]) => {
    const { default: standard, desc } = spec as { default: unknown; desc: string };
    const shown = Array.isArray(standard) || standard === '' ? '' : `\`${String(standard)}\``;
    return `| \`${name}\` | ${shown} | ${desc} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

describe('the documents name every variable that the gateway reads', () => {
  it('the README’s table is the table of the code (UPDATE_DOCUMENTS=1 writes it)', () => {
    const readme = readFileSync(README, 'utf8');
    const expected = readme.replace(BLOCK, (_block, before: string, after: string) => `${before}${table()}${after}`);
    if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(README, expected);
    else expect(readme).toBe(expected);
    expect(expected).toContain('| `PORT` | `3000` |');
  });

  it('.env.example sets no variable that nobody reads', () => {
    const named = [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^# ?([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !CONFIGURATION_VARIABLES.includes(name))).toEqual([]);
  });
});

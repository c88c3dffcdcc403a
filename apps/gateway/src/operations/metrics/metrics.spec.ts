import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { defineMetrics } from '.';
import { SharedStateReader, type SharedState } from './shared-state';

const ROOT = join(__dirname, '../../../../..');
const DOCUMENT = join(ROOT, 'docs/metrics.md');
const BLOCK = /(<!-- metrics: [^\n]*-->\n)[\s\S]*?(<!-- \/metrics -->)/;

interface Defined {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

function defined(): (Defined & { readonly type: string })[] {
  const metrics = defineMetrics(new Registry());
  return Object.values(metrics).map((metric) => {
    const { name, help, labelNames } = metric as unknown as Defined;
    return { name, help, labelNames, type: metric.constructor.name.toLowerCase() };
  });
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(): string {
  const rows = defined().map(
    ({ name, type, labelNames, help }) =>
      `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${cell(help)} |`,
  );
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

describe('the metrics', () => {
  it('docs/metrics.md has the table of the code (UPDATE_DOCUMENTS=1 writes it)', () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    const expected = document.replace(BLOCK, (_block, before: string, after: string) => `${before}${table()}${after}`);
    if (process.env['UPDATE_DOCUMENTS'] === '1') writeFileSync(DOCUMENT, expected);
    else expect(document).toBe(expected);
  });

  it('have names with their unit: counters end in _total, times in _seconds, sizes in _bytes', () => {
    for (const { name, type } of defined()) {
      expect(name).toMatch(/^gateway_[a-z_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(ms|milliseconds|percent)$/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  it('have no label for what there can be any number of', () => {
    const closed = ['route', 'method', 'status_class', 'source', 'mode', 'lane', 'access', 'outcome', 'quota', 'reason'];
    for (const { labelNames } of defined()) for (const label of labelNames) expect(closed).toContain(label);
  });

  it('are all that the alert rules and the dashboard ask for, beside what Prometheus and Node give', () => {
    const suffixes = ['', '_bucket', '_sum', '_count'];
    const known = new Set(
      defined().flatMap(({ name, type }) => (type === 'histogram' ? suffixes : ['']).map((end) => name + end)),
    );
    const files = ['deploy/prometheus', 'deploy/grafana/dashboards']
      .map((folder) => join(ROOT, folder))
      .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []));
    const asked = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bgateway_[a-z_]+/g)].map(([name]) => ({ file, name })),
    );
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter(({ name }) => !known.has(name))).toEqual([]);
  });
});

describe('what a scrape reads from Redis', () => {
  const state = { pendingWrites: 1 } as SharedState;

  it('is read once for all who scrape within a second', async () => {
    let readings = 0;
    const reader = new SharedStateReader(async () => {
      readings += 1;
      return state;
    });
    expect(await Promise.all([reader.read(), reader.read()])).toEqual([state, state]);
    expect(await reader.read()).toBe(state);
    expect(readings).toBe(1);
  });

  it('is given up where Redis does not answer, and where it answers with an error', async () => {
    expect(await new SharedStateReader(() => new Promise(() => undefined)).read()).toBeUndefined();
    expect(await new SharedStateReader(() => Promise.reject(new Error('no Redis in this test'))).read()).toBeUndefined();
  });
});

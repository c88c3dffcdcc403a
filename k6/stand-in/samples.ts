/** What a run measures, as k6 does: samples of named metrics, each with tags, and the thresholds that are put to them. */

export type Tags = Record<string, string>;
export interface Sample {
  metric: string;
  value: number;
  tags: Tags;
}

const samples: Sample[] = [];
let ambientTags: Tags = {};

export function record(metric: string, value: number | boolean, tags: Tags = {}): void {
  samples.push({ metric, value: Number(value), tags: { ...ambientTags, ...tags } });
}

/** The tags that k6 adds to everything measured within a scenario. */
export function withTags<T>(tags: Tags, run: () => T): T {
  ambientTags = tags;
  try {
    return run();
  } finally {
    ambientTags = {};
  }
}

/** `selector` is written as in k6's thresholds: `name` or `name{tag:value,tag:value}`. */
export function select(selector: string): number[] {
  const match = /^([a-z_]+)(?:\{(.*)\})?$/.exec(selector);
  if (!match?.[1]) throw new Error(`not a metric: '${selector}'`);
  const wanted = (match[2] ?? '').split(',').filter(Boolean);
  return samples
    .filter(({ metric }) => metric === match[1])
    .filter(({ tags }) => wanted.every((pair) => `${pair.split(':')[0]}:${tags[pair.split(':')[0] ?? '']}` === pair))
    .map(({ value }) => value);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const sorted = (values: number[]) => [...values].sort((a, b) => a - b);

function aggregate(method: string, values: number[]): number {
  const percentile = /^p\((\d+(?:\.\d+)?)\)$/.exec(method)?.[1];
  if (percentile !== undefined) return sorted(values)[Math.ceil((values.length * Number(percentile)) / 100) - 1] ?? 0;
  if (method === 'count') return sum(values);
  if (values.length === 0) return 0;
  if (method === 'rate' || method === 'avg') return sum(values) / values.length;
  if (method === 'max') return Math.max(...values);
  if (method === 'min') return Math.min(...values);
  throw new Error(`the stand-in cannot aggregate by '${method}'`);
}

const COMPARISONS: Record<string, (left: number, right: number) => boolean> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
};

/** One line for every threshold that the samples miss. */
export function missedThresholds(thresholds: Record<string, string[]>): string[] {
  return Object.entries(thresholds).flatMap(([selector, expressions]) => {
    const values = select(selector);
    return expressions.flatMap((expression) => {
      const [, method = '', comparison = '', bound = ''] =
        /^([a-z]+(?:\([\d.]+\))?)\s*([<>=]+)\s*([\d.]+)$/.exec(expression) ?? [];
      const compare = COMPARISONS[comparison];
      if (!compare) throw new Error(`not a threshold: '${expression}'`);
      const found = aggregate(method, values);
      return compare(found, Number(bound)) ? [] : [`${selector}: ${expression}, found ${found} in ${values.length} samples`];
    });
  });
}

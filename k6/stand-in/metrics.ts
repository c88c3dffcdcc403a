/** Stands in for the module `k6/metrics` in the tests. */
import { record, type Tags } from './samples.ts';

class Metric {
  constructor(readonly name: string) {}

  add(value: number | boolean, tags?: Tags): void {
    record(this.name, value, tags);
  }
}

export class Counter extends Metric {}
export class Gauge extends Metric {}
export class Rate extends Metric {}
export class Trend extends Metric {}

/** What will happen, in order of time; things of one instant happen in the order in which they were planned. */
interface Planned {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void;
}

export class Timeline {
  private readonly heap: Planned[] = [];
  private planned = 0;
  nowMs = 0;

  at(atMs: number, happen: () => void): void {
    const { heap } = this;
    heap.push({ atMs: Math.max(atMs, this.nowMs), order: (this.planned += 1), happen });
    for (let place = heap.length - 1; place > 0;) {
      const parent = (place - 1) >> 1;
      if (!before(heap[place], heap[parent])) break;
      [heap[place], heap[parent]] = [heap[parent], heap[place]];
      place = parent;
    }
  }

  after(delayMs: number, happen: () => void): void {
    this.at(this.nowMs + delayMs, happen);
  }

  runUntil(endMs: number): void {
    while (this.heap.length > 0 && this.heap[0].atMs <= endMs) {
      const next = this.takeFirst();
      this.nowMs = next.atMs;
      next.happen();
    }
    this.nowMs = endMs;
  }

  private takeFirst(): Planned {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop() as Planned;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let place = 0; ;) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < heap.length && before(heap[child], heap[least])) least = child;
      if (least === place) return first;
      [heap[place], heap[least]] = [heap[least], heap[place]];
      place = least;
    }
  }
}

function before(one: Planned, other: Planned): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

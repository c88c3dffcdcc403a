/**
 * What a process keeps in memory by sheet, the least recently used given up first, within a budget of bytes. The one used last is
 * kept whatever its size: without it every read of a sheet larger than the budget would load the sheet anew.
 */
export interface Sized {
  /** What keeping it costs, as an estimate. */
  readonly bytes: number;
}

export class ViewCache<Kept extends Sized> {
  private readonly kept = new Map<string, Kept>();
  private total = 0;

  constructor(private readonly bytesMax: number) {}

  /** Of all that is kept. */
  get bytes(): number {
    return this.total;
  }

  get size(): number {
    return this.kept.size;
  }

  get(name: string): Kept | undefined {
    return this.kept.get(name);
  }

  /** Keeps it under that name, as the one used last, in place of what was there. */
  keep(name: string, entry: Kept): void {
    this.drop(name);
    this.kept.set(name, entry);
    this.total += entry.bytes;
    for (const oldest of this.kept.keys()) {
      if (this.total <= this.bytesMax || oldest === name) break;
      this.drop(oldest);
    }
  }

  private drop(name: string): void {
    const entry = this.kept.get(name);
    if (entry === undefined) return;
    this.kept.delete(name);
    this.total -= entry.bytes;
  }
}

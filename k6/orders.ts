/** Made-up orders, and the memory of a virtual user for those it has written itself. */

export interface Order {
  id: string;
  customer: string;
  item: string;
  quantity: number;
  price: number;
  status: string;
  ordered_at: string;
}

const CUSTOMERS = ['Ada Byron', 'Grace Murray', 'Alan Mathison', 'Edsger Wybe', 'Barbara Liskov'];
const ITEMS = ['desk lamp', 'notebook', 'fountain pen', 'paper tray', 'label printer'];
const STATUSES = ['new', 'paid', 'packed', 'shipped'] as const;

const oneOf = <T>(values: readonly [T, ...T[]] | T[], serial: number): T => values[serial % values.length] as T;

export function makeOrder(id: string, serial: number, orderedAt: Date): Order {
  return {
    id,
    customer: oneOf(CUSTOMERS, serial),
    item: oneOf(ITEMS, serial * 3 + 1),
    quantity: 1 + (serial % 9),
    price: 4.5 + (serial % 40),
    status: 'new',
    ordered_at: orderedAt.toISOString(),
  };
}

export const statusAfter = (status: string) => oneOf(STATUSES, (STATUSES as readonly string[]).indexOf(status) + 1);

/** How many own rows a virtual user remembers: enough to choose from, small enough for hundreds of virtual users. */
const OWN_ROWS_MAX = 20;

/** The rows whose latest write was acknowledged, so that a read right after must show them exactly so. */
export class OwnRows {
  private readonly rows = new Map<string, Order>();

  get count(): number {
    return this.rows.size;
  }

  acknowledged(order: Order): void {
    this.rows.delete(order.id);
    this.rows.set(order.id, order);
    const [oldest] = this.rows.keys();
    if (this.rows.size > OWN_ROWS_MAX && oldest !== undefined) this.rows.delete(oldest);
  }

  /** After a delete, and after an answer that leaves open whether the write was done: nothing can be expected of the row. */
  forget(id: string): void {
    this.rows.delete(id);
  }

  /** The latest one is asked for most: that is where a read which misses a write shows. */
  latest(): Order {
    const latest = [...this.rows.values()].at(-1);
    if (latest === undefined) throw new Error('no own row is known: ask count first');
    return latest;
  }
}

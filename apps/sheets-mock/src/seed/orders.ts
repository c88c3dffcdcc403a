/** The tab `orders` of a new spreadsheet: 100 rows, the same on every start. */
import { seededRandom } from '../time/random';
import { CUSTOMERS } from './customers';

const ORDER_COUNT = 100;
const FIRST_ORDER_MS = Date.UTC(2025, 0, 6, 8, 12);
/** Orders come this far apart on average. */
const GAP_MS = 7 * 3_600_000;

const ITEMS: readonly (readonly [name: string, price: number])[] = [
  ['Espresso beans 1 kg', 18.9],
  ['Filter coffee 500 g', 9.5],
  ['Green tea 100 g', 6.2],
  ['Ceramic mug', 11],
  ['Hand grinder', 64],
  ['Paper filters (100)', 4.8],
  ['Kettle 1 l', 49.9],
  ['Milk jug 350 ml', 17.5],
  ['Cocoa 250 g', 7.4],
  ['Gift box', 29],
];
const STATUSES = ['new', 'paid', 'packed', 'shipped', 'delivered', 'delivered', 'delivered', 'cancelled'];

export const ORDER_HEADER = ['id', 'customer', 'item', 'quantity', 'price', 'status', 'ordered_at'];

export function orderRows(): (string | number)[][] {
  const random = seededRandom(1);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)];
  let atMs = FIRST_ORDER_MS;
  return Array.from({ length: ORDER_COUNT }, (_, index) => {
    atMs += Math.round((0.2 + random() * 1.6) * GAP_MS);
    const [item, price] = pick(ITEMS);
    const id = `ORD-${String(index + 1).padStart(4, '0')}`;
    return [id, pick(CUSTOMERS).name, item, 1 + Math.floor(random() * 5), price, pick(STATUSES), new Date(atMs).toISOString()];
  });
}

/** Which request comes next: three reads to one write. */

export const OPERATIONS = ['list', 'readBack', 'create', 'change', 'remove'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Parts of a hundred. `readBack`, `change` and `remove` need a row of one's own: without one they become list and create. */
export const WEIGHTS: Record<Operation, number> = { list: 60, readBack: 15, create: 17, change: 5, remove: 3 };

/** `draw` lies in [0, 1). */
export function operationFor(draw: number, hasOwnRow: boolean): Operation {
  const total = OPERATIONS.reduce((sum, operation) => sum + WEIGHTS[operation], 0);
  let rest = draw * total;
  const picked = OPERATIONS.find((operation) => (rest -= WEIGHTS[operation]) < 0) ?? 'list';
  if (hasOwnRow) return picked;
  if (picked === 'readBack') return 'list';
  return picked === 'change' || picked === 'remove' ? 'create' : picked;
}

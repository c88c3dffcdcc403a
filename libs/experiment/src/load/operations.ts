/** What each arrival asks for: four reads to one write. Drawn from the seed before the run, so that all stages get the same requests. */
import type { Random } from '@app/proof';

export const OPERATIONS = ['list', 'read-back', 'append'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** `read-back` asks for the row that was acknowledged last; while there is none, it lists. */
const SHARES: Readonly<Record<Operation, number>> = { list: 0.65, 'read-back': 0.15, append: 0.2 };

export function drawOperation(random: Random): Operation {
  let rest = random.next();
  return OPERATIONS.find((operation) => (rest -= SHARES[operation]) < 0) ?? 'list';
}

export function kindOf(operation: Operation): 'read' | 'write' {
  return operation === 'append' ? 'write' : 'read';
}

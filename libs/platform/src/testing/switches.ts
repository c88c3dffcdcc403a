/**
 * For tests only: takes away one of the mechanisms that keep writes exact, to show that the checker of `npm run prove:writes` sees
 * what they prevent. `TEST_WITHOUT` names them, separated by commas; like TEST_KILL_AT_STEP it is no setting of an installation.
 *
 *   frozen-batches   a batch whose outcome is unknown is planned anew, under another number, instead of being sent again as it is
 *   clash-refusal    the upstream accepts a commit entry whose id exists; carried out by the mock's own switch, not here
 *   write-ahead      writes reach the upstream without having been accepted into the log
 *   contains-check   a fetched sheet becomes the snapshot even if it contains less than the stored one
 */
export const MECHANISMS = ['frozen-batches', 'clash-refusal', 'write-ahead', 'contains-check'] as const;
export type Mechanism = (typeof MECHANISMS)[number];

const takenAway = new Set((process.env.TEST_WITHOUT ?? '').split(','));

export function testedWithout(mechanism: Mechanism): boolean {
  return takenAway.has(mechanism);
}

/** What became of a request, as its client sees it. */
import type { ClientAnswer } from '@app/proof';
import type { Operation } from './operations';

export const OUTCOMES = ['upstream', 'view', 'accepted', 'refused', 'missing', 'failed'] as const;

/**
 *   upstream  served with the upstream's own answer: a read that went there, a write that is there
 *   view      a read served from the snapshot and the accepted writes, without an upstream call
 *   accepted  a write that is durable, and reaches the spreadsheet later: 202
 *   refused   the quota's 429, handed on
 *   missing   a 404 for a row whose write was acknowledged: the client does not see its own write
 *   failed    anything else: an error, or no answer
 */
export type Outcome = (typeof OUTCOMES)[number];

export const LOST_OUTCOMES: readonly Outcome[] = ['refused', 'missing', 'failed'];

export function isLost(outcome: Outcome): boolean {
  return LOST_OUTCOMES.includes(outcome);
}

export function outcomeOf(operation: Operation, answer: ClientAnswer): Outcome {
  if (answer.kind === 'failed') return 'failed';
  const { status, headers } = answer;
  if (status === 429) return 'refused';
  if (operation === 'append') return status === 201 ? 'upstream' : status === 202 ? 'accepted' : 'failed';
  if (status === 404 && operation === 'read-back') return 'missing';
  if (status !== 200) return 'failed';
  return headers['x-data-source'] === 'snapshot' ? 'view' : 'upstream';
}

/** Asserts what the options must satisfy, all at once: a mistake shows at start-up and names its option. */
import { LANES } from '../policy/lane';
import type { SettledQuotaOptions } from './quota-options';

/** What a request may still spend between the destruction of its socket and the upstream's door. */
export const LEASE_MARGIN_MS = 1_000;

const DURATIONS = [
  'minDegradedMs',
  'deadlineMs',
  'leaseMs',
  'demandMs',
  'recheckMs',
  'closeMs',
  'rampMs',
  'redisAnswerMs',
] as const;

export function checkOptions(options: SettledQuotaOptions): void {
  const problems: string[] = [];
  const must = (holds: boolean, text: string): void => void (holds || problems.push(text));
  const { quotas, triggerRatio, exitRatio, hardMaxShare, lanes } = options;

  must(quotas.length > 0, 'quotas: expected at least one definition, or the name of a preset');
  must(new Set(quotas.map(({ id }) => id)).size === quotas.length, 'quotas: every id may be used once');
  must(options.users.length > 0, 'users: expected at least one, or nothing');
  for (const quota of quotas) {
    must(/^[\w.-]+$/.test(quota.id), `quotas: id ${JSON.stringify(quota.id)} may hold letters, digits and . _ - only`);
    for (const name of ['limit', 'windowMs'] as const)
      must(isCount(quota[name]), `quotas.${quota.id}.${name}: expected a whole number above 0, got ${quota[name]}`);
    must(
      quota.learntLimitMax === undefined || isCount(quota.learntLimitMax),
      `quotas.${quota.id}.learntLimitMax: expected a whole number above 0, got ${quota.learntLimitMax}`,
    );
  }
  for (const name of DURATIONS)
    must(isCount(options[name]), `${name}: expected a whole number of milliseconds above 0, got ${options[name]}`);
  for (const [name, share] of Object.entries({ triggerRatio, exitRatio, hardMaxShare }))
    must(share > 0 && share <= 1, `${name}: expected a share above 0 and up to 1, got ${share}`);
  for (const lane of LANES)
    for (const [name, share] of Object.entries(lanes[lane]))
      must(share >= 0 && share <= 1, `lanes.${lane}.${name}: expected a share from 0 to 1, got ${share}`);

  must(
    exitRatio < triggerRatio,
    `exitRatio (${exitRatio}) must be below triggerRatio (${triggerRatio}), or the mode would swing`,
  );
  must(triggerRatio <= hardMaxShare, `triggerRatio (${triggerRatio}) must not be above hardMaxShare (${hardMaxShare})`);
  must(
    options.leaseMs >= options.deadlineMs + LEASE_MARGIN_MS,
    `leaseMs (${options.leaseMs}) must be at least deadlineMs (${options.deadlineMs}) + ${LEASE_MARGIN_MS}: ` +
      'a call that is still on its way must not stop counting',
  );
  must(
    options.demandMs > options.recheckMs,
    `demandMs (${options.demandMs}) must be above recheckMs (${options.recheckMs}), or a waiting lane would lose its floor`,
  );
  for (const lane of LANES) {
    const { ceiling, ownMax, floor } = lanes[lane];
    must(ceiling <= hardMaxShare, `lanes.${lane}.ceiling (${ceiling}) must not be above hardMaxShare (${hardMaxShare})`);
    must(floor <= ownMax, `lanes.${lane}.floor (${floor}) must not be above lanes.${lane}.ownMax (${ownMax})`);
    must(
      lane === 'direct' || Math.min(ceiling, ownMax) <= exitRatio,
      `lanes.${lane}: the smaller of ceiling (${ceiling}) and ownMax (${ownMax}) must not be above exitRatio (${exitRatio}), ` +
        'or this lane alone could hold the system in degraded mode',
    );
  }
  const floors = LANES.reduce((sum, lane) => sum + lanes[lane].floor, 0);
  must(floors < hardMaxShare, `lanes: all floors together (${floors}) must be below hardMaxShare (${hardMaxShare})`);

  if (problems.length > 0)
    throw new Error(`The quota options are not usable:\n${problems.map((text) => `- ${text}`).join('\n')}`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

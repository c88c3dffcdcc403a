import { table, text, WrongUsage, type Command } from './command';
import type { QuotaReport } from '../operations/control/quota-control';

interface Quotas {
  readonly quotas: readonly QuotaReport[];
}

export const quotaShow: Command = {
  words: 'quota show',
  summary: 'counted calls by lane, in flight, learnt limits, foreign use',
  run: async ({ gateway }) => {
    const json = await gateway.get<Quotas>('/operations/quota');
    return { json, lines: quotaLines(json.quotas) };
  },
};

export const quotaReset: Command = {
  words: 'quota reset',
  summary: 'forget learnt limits, foreign use, closings and the mode',
  options: { yes: { type: 'boolean' }, quota: { type: 'string' }, calls: { type: 'boolean' } },
  help: [
    '--yes              needed: what is forgotten does not come back',
    '--quota ID         only this one',
    '--calls            also the counted calls. The upstream still counts them: for up to a window it may be sent more than it allows',
  ],
  run: async ({ gateway, options }) => {
    if (options.yes !== true) throw new WrongUsage('quota reset forgets what the upstream taught; repeat it with --yes');
    const json = await gateway.post<Quotas>('/operations/quota/reset', {
      quota: text(options, 'quota'),
      calls: options.calls === true,
    });
    return { json, lines: ['forgotten', '', ...quotaLines(json.quotas)] };
  },
};

export function quotaLines(quotas: readonly QuotaReport[]): string[] {
  const lanes = ['direct', 'drain', 'refresh', 'cold'] as const;
  return table([
    ['quota', 'used', 'limit', 'mode', ...lanes, 'in flight', 'learnt', 'foreign', 'closed for'],
    ...quotas.map((quota) => [
      quota.quotaId,
      String(quota.consumed),
      quota.limitInForce === quota.limit ? String(quota.limit) : `${quota.limitInForce} of ${quota.limit}`,
      quota.mode,
      ...lanes.map((lane) => String(quota.lanes[lane].counted)),
      String(lanes.reduce((sum, lane) => sum + quota.lanes[lane].inFlight, 0)),
      String(quota.learntLimit ?? ''),
      String(quota.foreignCalls),
      quota.closedForMs > 0 ? `${Math.ceil(quota.closedForMs / 1_000)} s` : '',
    ]),
  ]);
}

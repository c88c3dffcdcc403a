/** What the check found, for people and for programs. */
import { QUOTA_PRESETS } from '@app/quota';
import type { ProbedAccount } from './probe-account';

export interface CheckReport {
  readonly upstream: string;
  readonly spreadsheetId: string;
  readonly quotaPreset: 'case-study' | 'google';
  /** What the gateway will count: the service itself tells no limit unless it refuses a call. */
  readonly quotas: readonly { readonly name: string; readonly limit: number; readonly windowMs: number; readonly per: string }[];
  readonly accounts: readonly ProbedAccount[];
  /** At least one account may read and write. */
  readonly usable: boolean;
  readonly warnings: readonly string[];
}

export function reportOf(
  about: Pick<CheckReport, 'upstream' | 'spreadsheetId' | 'quotaPreset'>,
  quotas: readonly { id: string; limit: number; windowMs: number; per: string }[],
  accounts: readonly ProbedAccount[],
): CheckReport {
  const projects = new Set(accounts.flatMap(({ projectId }) => projectId ?? []));
  const warnings = [
    ...(projects.size > 1
      ? [`the accounts belong to ${projects.size} projects (${[...projects].join(', ')}): the gateway counts them as one, so the quota of one is all that is used`] // prettier-ignore
      : []),
    ...(accounts.some(({ refusesClashingIds }) => refusesClashingIds === false)
      ? ['the service accepts a metadata id that exists: a batch that is sent twice could be applied twice']
      : []),
  ];
  return {
    ...about,
    quotas: quotas.map(({ id, limit, windowMs, per }) => ({ name: id, limit, windowMs, per })),
    accounts,
    usable: accounts.some(({ mayRead, mayWrite }) => mayRead && mayWrite),
    warnings,
  };
}

export function readable(report: CheckReport): string {
  const { accounts } = report;
  const perUser = accounts.filter(({ mayRead }) => mayRead).length;
  const lines = [
    `upstream     ${report.upstream}`,
    `spreadsheet  ${report.spreadsheetId}${titleIn(accounts)}`,
    ...accounts.flatMap(accountLines),
    `quota        ${report.quotaPreset}: ${report.quotas.map(({ name, limit, windowMs, per }) => `${name} ${limit} per ${windowMs / 1_000} s${per === 'user' && perUser > 1 ? ` and account (${perUser} accounts: ${limit * perUser})` : ''}`).join(', ')}`,
    '             (what the gateway counts; the service states a limit only when it refuses a call)',
    ...report.warnings.map((warning) => `warning      ${warning}`),
    report.usable ? 'ok           at least one account may read and write' : 'NOT USABLE   no account may read and write',
  ];
  return `${lines.join('\n')}\n`;
}

function titleIn(accounts: readonly ProbedAccount[]): string {
  const found = accounts.find(({ spreadsheet }) => spreadsheet !== undefined)?.spreadsheet;
  if (found === undefined) return '';
  const tabs = found.tabs.map(({ title, rows, columns }) => `${title}${rows === undefined ? '' : ` (${rows} x ${columns})`}`);
  return ` ${JSON.stringify(found.title)}, tabs: ${tabs.join(', ')}`;
}

function accountLines(probed: ProbedAccount): string[] {
  const { account, quotaUser, signedIn, mayRead, mayWrite, refusesClashingIds, problem } = probed;
  const yes = (value: boolean): string => (value ? 'yes' : 'NO');
  const clashing = refusesClashingIds === undefined ? '' : `, refuses clashing metadata ids ${yes(refusesClashingIds)}`;
  return [
    `account      ${account} (quota user ${quotaUser})`,
    `             signs in ${yes(signedIn)}, read ${yes(mayRead)}, write ${yes(mayWrite)}${clashing}`,
    ...(problem === undefined ? [] : [`             ${problem}`]),
  ];
}

export function quotasOf(
  preset: 'case-study' | 'google',
  limit: number,
  windowMs: number,
): { id: string; limit: number; windowMs: number; per: string }[] {
  return preset === 'google'
    ? [...QUOTA_PRESETS.google]
    : QUOTA_PRESETS['case-study'].map((one) => ({ ...one, limit, windowMs }));
}

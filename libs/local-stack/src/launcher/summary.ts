/** What a person reads when everything runs: what is where, and what to try. */
import { relative } from 'node:path';
import { type Environment } from '../clean-environment';
import { urlOf, type LaunchPlan } from './plan';

export interface Running {
  readonly root: string;
  readonly plan: LaunchPlan;
  readonly environment: Environment;
  readonly gatewayPid: number;
  readonly mock?: { readonly url: string; readonly pid: number };
  /** Absent: the server that REDIS_URL names. */
  readonly redis?: { readonly url: string; readonly pid: number };
}

type Place = [name: string, where: string, more: string];

export function summarise({ root, plan, environment, gatewayPid, mock, redis }: Running): string {
  const gateway = urlOf(plan.gateway);
  const answersClients = environment['ROLE'] !== 'drain';
  const data = relative(root, plan.dataDirectory) || plan.dataDirectory;
  const places: Place[] = [
    ['gateway', gateway, `process ${gatewayPid}`],
    ...(answersClients
      ? ([
          ['API docs', `${gateway}/docs`, ''],
          ['Bull Board', `${gateway}/queues`, ''],
        ] satisfies Place[])
      : []),
    mock
      ? ['Sheets mock', mock.url, `process ${mock.pid}, data in ${data}/mock`]
      : ['upstream', environment['UPSTREAM_BASE_URL'] || 'the real Google Sheets API', ''],
    redis
      ? ['Redis', redis.url, `process ${redis.pid}, data in ${data}/redis`]
      : ['Redis', withoutPassword(plan.redisUrl ?? ''), 'not ours: left alone'],
  ];
  const nameWidth = Math.max(...places.map(([name]) => name.length));
  const whereWidth = Math.max(...places.map(([, where]) => where.length));
  return [
    '',
    'Everything is running:',
    '',
    ...places.map(([name, where, more]) => `  ${name.padEnd(nameWidth)}  ${where.padEnd(whereWidth)}  ${more}`.trimEnd()),
    '',
    'Try, in another terminal:',
    '',
    ...(answersClients ? curlLines(gateway, environment, mock !== undefined) : [`curl -i ${gateway}/health/ready`]).map(
      (line) => `  ${line}`,
    ),
    '',
    'Ctrl-C ends all of it; the data stays.',
    '',
  ].join('\n');
}

function curlLines(gateway: string, environment: Environment, usesMock: boolean): string[] {
  // The name of a variable, never a key itself.
  const key = environment['API_KEYS'] ? ` -H "Authorization: Bearer $API_KEY"` : '';
  const sheet = usesMock ? 'orders' : 'YOUR_TAB';
  const row = JSON.stringify({ customer: 'Ada Lovelace', item: 'Desk lamp', quantity: 1, price: 49.5, status: 'new' });
  return [
    `curl -i${key} '${gateway}/sheets/${sheet}/rows?limit=2'`,
    `curl -i${key} ${gateway}/sheets/${sheet}/rows -H 'Content-Type: application/json' -d '${row}'`,
    `curl -i ${gateway}/health/ready`,
  ];
}

export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'as in REDIS_URL';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The answer to a call that finds no quota left: status 429, and a body that names the limit which refused it. */
import { googleError, type GoogleErrorBody } from './google-errors';

export type QuotaMetric = 'read_requests' | 'write_requests';
export type QuotaScope = 'project' | 'user';

export interface QuotaErrorFacts {
  readonly metric: QuotaMetric;
  readonly scope: QuotaScope;
  /** Calls a minute. */
  readonly limitValue: number;
  readonly projectNumber?: string;
  /** When the window began that is full; the service tells it since 2026. */
  readonly windowStartMs?: number;
}

export interface QuotaRefusal {
  readonly metric: QuotaMetric;
  readonly scope: QuotaScope;
  /** Such as `ReadRequestsPerMinutePerUser`. */
  readonly limitId: string;
  /** Bodies from before 2022 do not tell it. */
  readonly limitValue?: number;
}

const SERVICE = 'sheets.googleapis.com';
const DEFAULT_PROJECT_NUMBER = '100000000000';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const HELP = 'type.googleapis.com/google.rpc.Help';

export function quotaErrorBody(facts: QuotaErrorFacts): GoogleErrorBody {
  const { metric, scope, limitValue, projectNumber = DEFAULT_PROJECT_NUMBER, windowStartMs } = facts;
  const word = metric === 'read_requests' ? 'Read' : 'Write';
  const perUser = scope === 'user';
  const limitText = `${word} requests per minute${perUser ? ' per user' : ''}`;
  const message = `Quota exceeded for quota metric '${word} requests' and limit '${limitText}' of service '${SERVICE}' for consumer 'project_number:${projectNumber}'.`;
  return googleError(429, 'RESOURCE_EXHAUSTED', message, [
    {
      '@type': ERROR_INFO,
      reason: 'RATE_LIMIT_EXCEEDED',
      domain: 'googleapis.com',
      metadata: {
        quota_metric: `${SERVICE}/${metric}`,
        quota_limit: `${word}RequestsPerMinutePer${perUser ? 'User' : 'Project'}`,
        quota_limit_value: String(limitValue),
        quota_unit: perUser ? '1/min/{project}/{user}' : '1/min/{project}',
        quota_location: 'global',
        service: SERVICE,
        consumer: `projects/${projectNumber}`,
        ...(windowStartMs === undefined ? {} : { window_start_time: String(Math.floor(windowStartMs / 1000)) }),
      },
    },
    {
      '@type': HELP,
      links: [
        { description: 'Request a higher quota limit.', url: 'https://cloud.google.com/docs/quotas/help/request_increase' },
      ],
    },
  ]);
}

/** Which limit a 429 body names; undefined where it names none, as the pages of the abuse layer do. */
export function parseQuotaError(body: unknown): QuotaRefusal | undefined {
  const error = (body as { error?: { message?: unknown; details?: unknown } } | null | undefined)?.error;
  if (error === undefined || error === null) return undefined;
  return fromDetails(error.details) ?? (typeof error.message === 'string' ? fromMessage(error.message) : undefined);
}

function fromDetails(details: unknown): QuotaRefusal | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as ({ metadata?: Record<string, unknown> } | null)[]) {
    const metadata = detail?.metadata;
    const limitId = metadata?.['quota_limit'];
    if (typeof limitId !== 'string') continue;
    const limitValue = Number(metadata?.['quota_limit_value']);
    const refusal = { ...readLimit(limitId), limitId };
    return Number.isFinite(limitValue) ? { ...refusal, limitValue } : refusal;
  }
  return undefined;
}

function fromMessage(message: string): QuotaRefusal | undefined {
  const limitText = /and limit '([^']+)'/.exec(message)?.[1];
  if (limitText === undefined) return undefined;
  const { metric, scope } = readLimit(limitText);
  const limitId = `${metric === 'read_requests' ? 'Read' : 'Write'}RequestsPerMinutePer${scope === 'user' ? 'User' : 'Project'}`;
  return { metric, scope, limitId };
}

function readLimit(text: string): { metric: QuotaMetric; scope: QuotaScope } {
  return {
    metric: /^write/i.test(text) ? 'write_requests' : 'read_requests',
    scope: /per ?user/i.test(text) ? 'user' : 'project',
  };
}

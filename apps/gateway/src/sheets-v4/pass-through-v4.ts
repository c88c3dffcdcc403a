/** The stages of the case before the remedy: the call goes to the upstream as it came, and what it answers goes to the client. */
import { Inject, Injectable } from '@nestjs/common';
import { CodedError } from '@app/platform';
import type { CallLane, SheetsApi, UpstreamAnswer } from '@app/sheets-client';
import { PASS_THROUGH_API } from '../core/tokens';
import type { V4Answer, V4Request } from './sheets-v4.service';

/** Parameters that say who calls: the gateway calls in its own name. Source: system parameters of Google's APIs. */
const CREDENTIALS = ['key', 'access_token', 'oauth_token', 'quotaUser'];
/** They shape the text of the answer, which is written here. */
const TEXT = ['callback', 'prettyPrint', 'alt', '$.xgafv'];

@Injectable()
export class PassThroughV4 {
  constructor(@Inject(PASS_THROUGH_API) private readonly api: SheetsApi) {}

  async forward(request: V4Request): Promise<V4Answer> {
    return answerOf(await forwarded(this.api, request, 'direct'));
  }
}

/** One upstream call that asks for the same. */
export async function forwarded(
  api: SheetsApi,
  { method, rawPath, query, body, route }: V4Request,
  lane: CallLane,
  fields?: string,
): Promise<UpstreamAnswer<Record<string, unknown>>> {
  const sent = new URLSearchParams(query);
  for (const name of [...CREDENTIALS, ...TEXT]) sent.delete(name);
  if (fields !== undefined) sent.set('fields', fields);
  sent.set('prettyPrint', 'false');
  return await api.client.call({
    lane,
    access: route.method.access,
    method: method as 'GET' | 'POST' | 'PUT',
    path: `${rawPath}?${sent}`,
    ...(method === 'GET' ? {} : { body: body ?? {} }),
  });
}

export function answerOf(answer: UpstreamAnswer<Record<string, unknown>>): V4Answer {
  if (answer.kind === 'answered') return { status: 200, body: answer.body };
  if (answer.kind === 'rejected') return { status: answer.status, body: answer.body };
  if (answer.kind === 'refused') {
    const { retryInMs } = answer.refusal;
    throw new CodedError({
      code: 'quota-exhausted',
      status: 503,
      message: 'the quota leaves no room for this call',
      retryAfterMs: retryInMs,
    });
  }
  throw new CodedError({
    code: 'upstream-unavailable',
    status: 502,
    message: `the upstream failed: ${answer.message}`,
    retryAfterMs: 5_000,
  });
}

import type { QuotaDefinition } from './quota-definition';

const MINUTE_MS = 60_000;

/**
 * - `case-study`: one limit for everything, as in the case that this pattern comes from.
 * - `google`: what the Sheets and Docs APIs of Google count apart. A service account is one user.
 */
export const QUOTA_PRESETS = {
  'case-study': [{ id: 'case-study', limit: 300, windowMs: MINUTE_MS, access: 'any', per: 'project' }],
  google: [
    {
      id: 'read-project',
      limit: 300,
      windowMs: MINUTE_MS,
      access: 'read',
      per: 'project',
      upstreamNames: ['ReadRequestsPerMinutePerProject'],
    },
    {
      id: 'read-user',
      limit: 60,
      windowMs: MINUTE_MS,
      access: 'read',
      per: 'user',
      upstreamNames: ['ReadRequestsPerMinutePerUser'],
    },
    {
      id: 'write-project',
      limit: 300,
      windowMs: MINUTE_MS,
      access: 'write',
      per: 'project',
      upstreamNames: ['WriteRequestsPerMinutePerProject'],
    },
    {
      id: 'write-user',
      limit: 60,
      windowMs: MINUTE_MS,
      access: 'write',
      per: 'user',
      upstreamNames: ['WriteRequestsPerMinutePerUser'],
    },
  ],
} as const satisfies Record<string, readonly QuotaDefinition[]>;

export type QuotaPresetName = keyof typeof QUOTA_PRESETS;

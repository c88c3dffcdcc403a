/**
 * What a run must show, for each of the four stages that the gateway's PROTECTION can be set to. `http_req_failed` counts
 * the answers that the stage does not allow; `requests_lost` those that did not serve the client (anything but 2xx). So the
 * unprotected stages may lose requests, and must: a run of `off` that loses none has not reproduced the problem.
 */
import { PROFILES } from './profiles.ts';
import type { ProfileName, StageName } from './settings.ts';

export interface Stage {
  /** The answers that this stage may give under load. Any other one fails the run. */
  statusesAllowed: readonly number[];
  /** X-Quota-Consumed and X-System-Degraded come with the ledger: the bare stage has neither. */
  countsQuota: boolean;
  /** Writes may be answered 202 and persisted later. */
  queuesWrites: boolean;
  /** False: a degraded answer may lack what was written since its snapshot. */
  degradedReadsShowWrites: boolean;
  thresholds: Thresholds;
}
type Thresholds = Record<string, string[]>;

/** Google's quota and the mock's: upstream calls a minute. */
const QUOTA_PER_MINUTE = 300;
/** 429 is the upstream's refusal handed on; 502 an upstream that cannot be reached or is too late. */
const SERVED = [200, 201];
const SERVED_OR_REFUSED = [...SERVED, 429, 502];

/** Hold in every stage. A dropped iteration means that k6 had no virtual user left: the load was not the one described. */
const ALWAYS: Thresholds = {
  checks: ['rate==1'],
  http_req_failed: ['rate==0'],
  dropped_iterations: ['count==0'],
  'requests_lost{scenario:warm_up}': ['rate==0'],
};

export function stageFor(name: StageName, profileName: ProfileName): Stage {
  const { lossUnprotected: loss, writeLossWithReadsProtected: writeLoss } = PROFILES[profileName];
  const losing: Thresholds = { requests_lost: [`rate>${loss.above}`, `rate<${loss.below}`] };
  // After the trigger at half of the quota at least this share of the peak's answers comes without an upstream call.
  const degrading: Thresholds = { 'answers_degraded{scenario:peak}': ['rate>0.25'] };
  const stages: Record<StageName, Stage> = {
    off: {
      statusesAllowed: SERVED_OR_REFUSED,
      countsQuota: false,
      queuesWrites: false,
      degradedReadsShowWrites: false,
      thresholds: { ...ALWAYS, ...losing },
    },
    count: {
      statusesAllowed: SERVED_OR_REFUSED,
      countsQuota: true,
      queuesWrites: false,
      degradedReadsShowWrites: false,
      thresholds: { ...ALWAYS, ...losing },
    },
    reads: {
      // A snapshot alone does not know the rows written since: reading one back is a 404 until the next direct read.
      statusesAllowed: [...SERVED_OR_REFUSED, 404],
      countsQuota: true,
      queuesWrites: false,
      degradedReadsShowWrites: false,
      thresholds: {
        ...ALWAYS,
        ...degrading,
        'requests_lost{operation:read}': ['rate<0.25'],
        'requests_lost{operation:write}': [`rate<${writeLoss.below}`],
      },
    },
    full: {
      statusesAllowed: [...SERVED, 202],
      countsQuota: true,
      queuesWrites: true,
      degradedReadsShowWrites: true,
      thresholds: {
        ...ALWAYS,
        ...degrading,
        requests_lost: ['rate==0'],
        quota_consumed: [`max<=${QUOTA_PER_MINUTE}`],
        'http_req_duration{scenario:peak}': ['p(95)<1000'],
      },
    },
  };
  return stages[name];
}

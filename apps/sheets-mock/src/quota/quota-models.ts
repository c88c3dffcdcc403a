/** What a call is counted against, and how much of it there is. */
import type { QuotaMetric, QuotaScope } from '@app/sheets-wire';
import { BucketMeter, meterOf, MINUTE_MS, type Meter, type WindowKind } from './meters';

export type Access = 'read' | 'write';

export interface CaseStudySettings {
  readonly model: 'case-study';
  /** Capacity of the bucket. */
  readonly limit: number;
  readonly refillPerSecond: number;
  /** What somebody else takes of the quota all the time, from 0 to 1. */
  readonly foreignShare: number;
}

export interface GoogleSettings {
  readonly model: 'google';
  /** Calls a minute. */
  readonly projectLimit: number;
  readonly userLimit: number;
  readonly window: WindowKind;
  readonly foreignShare: number;
}

export type QuotaSettings = { readonly model: 'off' } | CaseStudySettings | GoogleSettings;

export interface Refusal {
  readonly metric: QuotaMetric;
  readonly scope: QuotaScope;
  readonly limitValue: number;
  readonly windowStartMs?: number;
}

export interface QuotaModel {
  /** Takes a place, or says which limit has none left. */
  take(access: Access, user: string, nowMs: number): Refusal | undefined;
  used(nowMs: number): Readonly<Record<string, number>>;
}

export const CASE_STUDY: CaseStudySettings = { model: 'case-study', limit: 300, refillPerSecond: 5, foreignShare: 0 };
/** Source: "Usage limits" of the Sheets API. */
export const GOOGLE: GoogleSettings = {
  model: 'google',
  projectLimit: 300,
  userLimit: 60,
  window: 'fixed-minute',
  foreignShare: 0,
};

export function quotaModel(settings: QuotaSettings): QuotaModel {
  if (settings.model === 'off') return { take: () => undefined, used: () => ({}) };
  return settings.model === 'case-study' ? new CaseStudyModel(settings) : new GoogleModel(settings);
}

const metricOf = (access: Access): QuotaMetric => (access === 'read' ? 'read_requests' : 'write_requests');

/** One bucket for all calls, reads and writes alike. */
class CaseStudyModel implements QuotaModel {
  private readonly bucket: Meter;
  private readonly foreign: ForeignConsumer;

  constructor(private readonly settings: CaseStudySettings) {
    this.bucket = new BucketMeter(settings.limit, settings.refillPerSecond);
    this.foreign = new ForeignConsumer(settings.foreignShare * settings.refillPerSecond * 60);
  }

  take(access: Access, _user: string, nowMs: number): Refusal | undefined {
    this.foreign.consume(nowMs, this.bucket);
    if (!this.bucket.hasRoom(nowMs)) return { metric: metricOf(access), scope: 'project', limitValue: this.settings.limit };
    this.bucket.take(nowMs);
    return undefined;
  }

  used(nowMs: number): Record<string, number> {
    return { all: this.bucket.used(nowMs) };
  }
}

/** Reads and writes apart, each per project and per user. */
class GoogleModel implements QuotaModel {
  private readonly project: Readonly<Record<Access, Meter>>;
  private readonly foreign: Readonly<Record<Access, ForeignConsumer>>;
  private readonly users = new Map<string, Meter>();

  constructor(private readonly settings: GoogleSettings) {
    const { window, projectLimit, foreignShare } = settings;
    this.project = { read: meterOf(window, projectLimit), write: meterOf(window, projectLimit) };
    const perMinute = foreignShare * projectLimit;
    this.foreign = { read: new ForeignConsumer(perMinute), write: new ForeignConsumer(perMinute) };
  }

  take(access: Access, user: string, nowMs: number): Refusal | undefined {
    const metric = metricOf(access);
    const project = this.project[access];
    const own = this.userMeter(access, user);
    this.foreign[access].consume(nowMs, project);
    const { userLimit, projectLimit } = this.settings;
    if (!own.hasRoom(nowMs)) return { metric, scope: 'user', limitValue: userLimit, windowStartMs: own.windowStartMs(nowMs) };
    if (!project.hasRoom(nowMs))
      return { metric, scope: 'project', limitValue: projectLimit, windowStartMs: project.windowStartMs(nowMs) };
    own.take(nowMs);
    project.take(nowMs);
    return undefined;
  }

  used(nowMs: number): Record<string, number> {
    return { projectReads: this.project.read.used(nowMs), projectWrites: this.project.write.used(nowMs) };
  }

  private userMeter(access: Access, user: string): Meter {
    const key = `${access} ${user}`;
    const known = this.users.get(key);
    if (known) return known;
    const meter = meterOf(this.settings.window, this.settings.userLimit);
    this.users.set(key, meter);
    return meter;
  }
}

/** Somebody else who uses the same project and is in no log: takes places evenly, and none that is not free. */
class ForeignConsumer {
  private lastMs?: number;

  constructor(private readonly callsPerMinute: number) {}

  consume(nowMs: number, meter: Meter): void {
    if (this.callsPerMinute <= 0) return;
    const everyMs = MINUTE_MS / this.callsPerMinute;
    // What was used more than a minute ago no longer counts in any model.
    let nextMs = Math.max((this.lastMs ?? nowMs - everyMs) + everyMs, nowMs - MINUTE_MS);
    for (; nextMs <= nowMs; nextMs += everyMs) {
      if (meter.hasRoom(nextMs)) meter.take(nextMs);
      this.lastMs = nextMs;
    }
  }
}

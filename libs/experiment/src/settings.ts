/** What a run is made of. The command line sets what a person changes; the tests scale the rest down. */
import type { ProfileName } from './load/profiles';

/** As the gateway's PROTECTION names them. */
export const STAGE_NAMES = ['off', 'count', 'reads', 'full'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

export const STAGE_MEANINGS: Readonly<Record<StageName, string>> = {
  off: 'nothing protects: every request is a call',
  count: 'calls are counted, nothing more',
  reads: 'the view answers reads past half of the quota',
  full: 'and writes are queued',
};

export interface ExperimentSettings {
  readonly profiles: readonly ProfileName[];
  readonly stages: readonly StageName[];
  readonly seed: number;
  /** 1: windows of 60 s. A tenth: windows of 6 s, a tenth of the limit, of the time and of the requests. */
  readonly timeScale: number;
  /** The stages of a profile at the same time, each with a mock, a Redis and a gateway of its own. */
  readonly sideBySide: boolean;
}

/** Of the case study: calls in a window. */
const LIMIT = 300;
const WINDOW_MS = 60_000;

export interface Scale {
  readonly limit: number;
  readonly windowMs: number;
  readonly timeScale: number;
}

export function scaleOf(timeScale: number): Scale {
  return { limit: Math.round(LIMIT * timeScale), windowMs: WINDOW_MS * timeScale, timeScale };
}

/** The gateway's defaults, scaled with the window where they belong to it. */
export function gatewayEnvOf(stage: StageName, { limit, windowMs, timeScale }: Scale): Record<string, string> {
  return {
    PROTECTION: stage,
    QUOTA_LIMIT: String(limit),
    QUOTA_WINDOW_MS: String(windowMs),
    QUOTA_MIN_DEGRADED_MS: String(Math.round(20_000 * timeScale)),
    DRAIN_PACE_MS: String(Math.max(50, Math.round(1_000 * timeScale))),
    LOG_LEVEL: 'error',
  };
}

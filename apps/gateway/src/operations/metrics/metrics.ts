/**
 * Every metric of this process, in one place: its name with the unit, its labels, what it says. `docs/metrics.md` is kept equal to
 * this table by a test. Labels come from small closed sets (routes, lanes, outcomes, quotas of the configuration): no sheet, no
 * key, no client is ever one.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** From an answer out of memory (1 ms) to the deadline of an upstream call (10 s). */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The service takes 0.1 s to a few seconds; time-outs end at `UPSTREAM_TIMEOUT_MS`. */
const UPSTREAM_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** From "as good as live" to what nobody should be served; the alert asks for more than 300. */
const AGE_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 3_600];

export type Metrics = ReturnType<typeof defineMetrics>;

export function defineMetrics(register: Registry) {
  const registers = [register];
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <const L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[] = [],
  ): Histogram<L> => new Histogram({ name, help, buckets, labelNames, registers });

  return {
    requests: counter(
      'gateway_requests_total',
      'HTTP answers. mode: what X-System-Degraded said; source: where the body came from (upstream, snapshot, memory, none)',
      ['route', 'method', 'status_class', 'source', 'mode'],
    ),
    requestSeconds: histogram('gateway_request_duration_seconds', 'Time to answer', REQUEST_SECONDS, ['route', 'method']),
    servedAgeSeconds: histogram(
      'gateway_served_age_seconds',
      'Age of the snapshot that a read was answered from, as in its Age header',
      AGE_SECONDS,
    ),
    upstreamCalls: counter(
      'gateway_upstream_calls_total',
      'Calls to the Sheets service by what became of them; refused-by-gate and not-sent never left this process',
      ['lane', 'access', 'outcome'],
    ),
    upstreamSeconds: histogram(
      'gateway_upstream_call_duration_seconds',
      'Time from writing a call to having read its answer; access="write" is the time of a batch',
      UPSTREAM_SECONDS,
      ['lane', 'access'],
    ),
    upstreamFailing: gauge('gateway_upstream_failing', '1: the last call of this process had no usable answer'),
    reservations: counter('gateway_quota_reservations_total', 'Reservations in the ledger by lane and outcome', [
      'lane',
      'outcome',
    ]),
    quotaConsumed: gauge('gateway_quota_consumed_calls', 'Calls that count in the window now', ['quota']),
    quotaLimit: gauge('gateway_quota_limit_calls', 'Limit that the upstream states, or else the configured one', ['quota']),
    quotaInForce: gauge('gateway_quota_limit_in_force_calls', 'The limit less what others are seen to use', ['quota']),
    quotaTrigger: gauge('gateway_quota_trigger_calls', 'Consumption past which the gateway degrades', ['quota']),
    quotaForeign: gauge('gateway_quota_foreign_calls', 'Calls of others that are allowed for', ['quota']),
    quotaClosed: gauge('gateway_quota_closed_seconds', 'How long the quota stays closed after a refusal by the upstream', [
      'quota',
    ]),
    quotaDegraded: gauge('gateway_quota_degraded', '1: the mode of this quota is degraded', ['quota']),
    modeChanges: counter('gateway_mode_changes_total', 'Changes of the mode since the quota was first used, by all processes', [
      'quota',
    ]),
    degraded: gauge('gateway_degraded', '1: the mode of any quota is degraded'),
    pendingWrites: gauge('gateway_pending_writes', 'Accepted writes that the spreadsheets do not contain yet'),
    pendingSpreadsheets: gauge('gateway_pending_spreadsheets', 'Spreadsheets with pending writes'),
    oldestPendingSeconds: gauge('gateway_oldest_pending_age_seconds', 'Since the oldest pending write was accepted; 0: none'),
    snapshots: gauge('gateway_snapshots', 'Snapshots that are registered in Redis (at most 500)'),
    snapshotAgeSeconds: gauge('gateway_snapshot_age_max_seconds', 'Age of the oldest registered snapshot, read or not; 0: none'),
    writesFailed: counter('gateway_writes_failed_total', 'Writes that were set aside, by reason', ['reason']),
    drainBatches: counter('gateway_drain_batches_total', 'Batches sent, answered or not', ['lane']),
    drainWritesSent: counter(
      'gateway_drain_writes_sent_total',
      'Writes in the batches sent; a batch that is sent again counts again',
      ['lane'],
    ),
    drainWritesApplied: counter('gateway_drain_writes_applied_total', 'Writes that the spreadsheet contains', ['lane']),
    drainTurns: counter('gateway_drain_turns_total', 'Jobs that the worker of this process took up; one job can take many turns'),
    nearCacheBytes: gauge(
      'gateway_near_cache_bytes',
      'What the views cost that this process keeps, as an estimate; VIEW_BYTES_MAX bounds it',
    ),
    openCircuits: gauge(
      'gateway_open_circuits',
      'Spreadsheets that this process leaves alone for a while, since their calls failed one after the other',
    ),
    nearCacheViews: gauge('gateway_near_cache_views', 'Views that this process keeps'),
    redisUp: gauge('gateway_redis_up', '1: Redis answered within the time-out of this scrape (cached for 1 s)'),
  };
}

/**
 * The counters of the timeline, from what telemetry tells.
 *
 * | name                       | counts |
 * |----------------------------|--------|
 * | calls.<lane>.<outcome>     | upstream calls, and those that were refused or given back before they were sent |
 * | reads.<source>             | reads that clients had answered from `upstream`, `snapshot` or `memory` |
 * | writes.done, writes.queued | writes answered 200/201 (the upstream has it) and 202 (pending) |
 * | errors.client, errors.server | answers 4xx and 5xx to clients |
 * | batches.<lane>             | batches sent |
 * | applied.<lane>             | writes applied |
 * | set-aside.<reason>         | writes set aside |
 */
import type { TelemetrySubscriber } from '../telemetry';

export type Count = (name: string, by: number) => void;

export function countersFrom(count: Count): TelemetrySubscriber {
  return {
    upstreamCall: ({ lane, outcome }) => count(`calls.${lane}.${outcome}`, 1),
    httpAnswer: ({ audience, route, method, status, source }) => {
      // What nobody offers is asked for by scanners and browsers, not by clients.
      if (audience !== 'client' || route === 'unmatched') return;
      if (status >= 500) count('errors.server', 1);
      else if (status >= 400) count('errors.client', 1);
      else if (source !== 'none') count(`reads.${source}`, 1);
      else if (method !== 'GET' && method !== 'HEAD') count(status === 202 ? 'writes.queued' : 'writes.done', 1);
    },
    drainEvent: (event) => {
      if (event.kind === 'set-aside') count(`set-aside.${event.reason}`, event.writes);
      else if (event.kind === 'applied') count(`applied.${event.lane}`, event.writes);
      else count(`batches.${event.lane}`, 1);
    },
  };
}

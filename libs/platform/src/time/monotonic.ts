/** Milliseconds on the process's monotonic clock: for deadlines and durations, never for what another process reads. */
export function monotonicMs(): number {
  return performance.now();
}

/** Milliseconds of the wall clock, for what people read. Decisions between processes use Redis's clock instead. */
export function wallMs(): number {
  return Date.now();
}

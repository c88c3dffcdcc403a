/**
 * What the quota refuses when nothing protects the requests, by arithmetic: a bucket of `limit` calls that refills evenly over a window,
 * and one call for each request. The run shows how near the real thing comes.
 */
export function unprotectedLossOf(arrivals: readonly { readonly dueMs: number }[], limit: number, windowMs: number): number {
  let places = limit;
  let lastMs = 0;
  let refused = 0;
  for (const { dueMs } of arrivals) {
    places = Math.min(limit, places + ((dueMs - lastMs) * limit) / windowMs);
    lastMs = dueMs;
    if (places >= 1) places -= 1;
    else refused += 1;
  }
  return arrivals.length === 0 ? 0 : refused / arrivals.length;
}

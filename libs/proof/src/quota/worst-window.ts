/** The most instants that fall into any window of that length; a window holds its beginning and not its end. */
export function worstWindow(instantsMs: readonly number[], windowMs: number): number {
  const sorted = [...instantsMs].sort((a, b) => a - b);
  let worst = 0;
  let from = 0;
  for (let to = 0; to < sorted.length; to += 1) {
    while (sorted[to] - sorted[from] >= windowMs) from += 1;
    worst = Math.max(worst, to - from + 1);
  }
  return worst;
}

/**
 * The duration that a share of all stays below, as Prometheus' `histogram_quantile` estimates it: evenly
 * spread between two bounds, and the last bound beyond it. `cumulative` counts by bound, at last all. Null:
 * there is none.
 */
export const quantileOf = (
  bounds: readonly number[],
  cumulative: readonly number[],
  quantile: number,
): number | null => {
  const all = cumulative.at(-1) ?? 0;
  if (all === 0) return null;
  const rank = quantile * all;
  const n = cumulative.findIndex((count) => count >= rank);
  const to = bounds[n];
  if (to === undefined) return bounds.at(-1) ?? null;
  const [from, below] = n === 0 ? [0, 0] : [bounds[n - 1] ?? 0, cumulative[n - 1] ?? 0];
  const inside = (cumulative[n] ?? 0) - below;
  return Math.round((from + ((to - from) * (rank - below)) / inside) * 1e5) / 1e5;
};

/** A share and the bounds between which the true one is, with 95 % confidence; null of nothing. */
export type Interval = Readonly<{ share: number; from: number; to: number }>;

/** The 97.5th percentile of the normal distribution: 2.5 % are left out on either side. */
const Z = 1.959964;

/** Wilson's score interval (https://doi.org/10.1080/01621459.1927.10502953) of `count` of `total`. */
export const intervalOf = (count: number, total: number): Interval | null => {
  if (total === 0) return null;
  const share = count / total;
  const square = (Z * Z) / total;
  const middle = share + square / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / total + square / (4 * total));
  const bound = (at: number): number => Math.min(1, Math.max(0, at / (1 + square)));
  return { share, from: bound(middle - reach), to: bound(middle + reach) };
};

/**
 * The highest true share with which `count` or fewer of `total` would still be seen in one of `1 / alpha`
 * cases: the upper bound of Clopper and Pearson, on one side.
 */
export const upperBound = (count: number, total: number, alpha = 0.05): number => {
  if (count >= total) return 1;
  let [low, high] = [count / total, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (atMost(count, total, middle) > alpha) low = middle;
    else high = middle;
  }
  return high;
};

/** So many halvings tell shares apart by less than a billionth. */
const STEPS = 40;

/** How likely `count` or fewer of `total` are, each being one with the chance `share`. */
const atMost = (count: number, total: number, share: number): number => {
  // By logarithms: the chance of none among thousands is no longer a number otherwise.
  let logarithm = total * Math.log1p(-share);
  let sum = Math.exp(logarithm);
  for (let n = 1; n <= count; n += 1) {
    logarithm += Math.log((total - n + 1) / n) + Math.log(share) - Math.log1p(-share);
    sum += Math.exp(logarithm);
  }
  return sum;
};

/** The indexes of the longest common subsequence of two lists. */
export const longestCommon = (
  one: readonly string[],
  other: readonly string[],
): readonly (readonly [number, number])[] => {
  const row = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * row);
  const at = (n: number, m: number): number => lengths[n * row + m] ?? 0;
  for (let n = one.length - 1; n >= 0; n -= 1)
    for (let m = other.length - 1; m >= 0; m -= 1)
      lengths[n * row + m] =
        one[n] === other[m] ? at(n + 1, m + 1) + 1 : Math.max(at(n + 1, m), at(n, m + 1));
  const pairs: (readonly [number, number])[] = [];
  let [n, m] = [0, 0];
  while (n < one.length && m < other.length) {
    if (one[n] === other[m]) {
      pairs.push([n, m]);
      n += 1;
      m += 1;
    } else if (at(n + 1, m) >= at(n, m + 1)) n += 1;
    else m += 1;
  }
  return pairs;
};

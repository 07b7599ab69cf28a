/** The places of the longest sequence that two lists have in common. */
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
  const places: (readonly [number, number])[] = [];
  let [n, m] = [0, 0];
  while (n < one.length && m < other.length) {
    if (one[n] === other[m]) {
      places.push([n, m]);
      n += 1;
      m += 1;
    } else if (at(n + 1, m) >= at(n, m + 1)) n += 1;
    else m += 1;
  }
  return places;
};

/** In how many letters two texts differ, at the least: changed, missing or more (Levenshtein). */
export const changesBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, m) => m);
  for (let n = 1; n <= one.length; n += 1) {
    const next = [n];
    for (let m = 1; m <= other.length; m += 1)
      next.push(
        Math.min(
          (row[m] ?? 0) + 1,
          (next[m - 1] ?? 0) + 1,
          (row[m - 1] ?? 0) + (one[n - 1] === other[m - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
};

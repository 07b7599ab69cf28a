/** Items in runs, each of consecutive items that belong together. */
export const runsOf = <T>(
  items: readonly T[],
  isTogether: (before: T, item: T) => boolean,
): readonly (readonly T[])[] => {
  const runs: T[][] = [];
  let before: T | undefined;
  for (const item of items) {
    if (before !== undefined && isTogether(before, item)) runs.at(-1)?.push(item);
    else runs.push([item]);
    before = item;
  }
  return runs;
};

/** The lists' items in turn: the first of each, then the second of each, and so on. */
export const interleave = <T>(lists: readonly (readonly T[])[]): readonly T[] => rounds(lists).flat();

/** Likewise, an array a round. */
export const rounds = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  );

/** The first of each list, then the second of each, and so on: an array a turn. */
export const turnsOf = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );

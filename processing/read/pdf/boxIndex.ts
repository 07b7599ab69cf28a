import type { Box } from '../../../domain/submission/processingResult.ts';

/** In points: few words of a page share a row. */
const ROW = 16;
const MAX_ROWS = 1_000;
/** What is higher is looked at for every place. */
const MAX_SPAN = 8;

/** What lies on a page, by the rows that it is in: for one place only what is near is looked at. */
export const createBoxIndex = <T>() => {
  const rows = new Map<number, T[]>();
  const high: T[] = [];
  return {
    add: (box: Box, item: T): void => {
      const [first, last] = rowsOf(box);
      if (last - first >= MAX_SPAN) high.push(item);
      else
        for (let row = first; row <= last; row += 1) {
          const items = rows.get(row);
          if (items) items.push(item);
          else rows.set(row, [item]);
        }
    },
    /** Whether anything in the rows of a box passes. */
    someNear: (box: Box, passes: (item: T) => boolean): boolean => {
      const [first, last] = rowsOf(box);
      for (let row = first; row <= last; row += 1) if (rows.get(row)?.some(passes)) return true;
      return high.some(passes);
    },
  };
};

const rowsOf = ({ top, bottom }: Box): readonly [first: number, last: number] => [rowOf(top), rowOf(bottom)];

const rowOf = (y: number): number => Math.min(MAX_ROWS, Math.max(0, Math.floor(y / ROW)));

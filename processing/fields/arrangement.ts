import type { Cell, Layout, Side } from './layout.ts';
import type { Searched } from './searched.ts';

/**
 * Whether the label is one of a row of captions: a head over columns of values, a number below one of those
 * that are known.
 */
export const isHeaded = (searched: Searched, cell: Cell): boolean => {
  const { layout, isCaptioned } = searched;
  const others = layout.row(cell).filter((mate) => mate !== cell);
  if (others.length === 0) return false;
  const isHead = others.every((mate) => !/\d/.test(mate.text));
  return (
    others.every(isCaptioned) ||
    (isHead && others.some((mate) => isCaptioned(mate) && hasNumber(layout, mate, 'below')))
  );
};

/**
 * Whether captions and values take turns down the page: what follows the value is a caption again, or
 * nothing.
 */
export const isStacked = (searched: Searched, cell: Cell, value: Cell): boolean => {
  const { layout, isCaptioned } = searched;
  const after = layout.next(value, 'below');
  if (after && !isCaptioned(after)) return false;
  return layout
    .mates(cell)
    .some(
      (mate) =>
        mate !== cell && isAligned(mate, cell) && isCaptioned(mate) && layout.next(mate, 'right') === null,
    );
};

export const isAligned = (a: Cell, b: Cell): boolean =>
  Math.abs(a.spot.left - b.spot.left) < (a.spot.bottom - a.spot.top) / 2;

/** Whether captions stand above or below a cell, at its left edge. */
export const isInCaptionColumn = ({ layout, isCaptioned }: Searched, cell: Cell): boolean =>
  layout.mates(cell).some((mate) => mate !== cell && isAligned(mate, cell) && isCaptioned(mate));

/**
 * Where values stand, by the other captions of a label's row and column, then of its page: on the side on
 * which some have a number; else to the right, where one stands right above or below the label, and below,
 * where one stands beside it.
 */
export const directionOf = (searched: Searched, cell: Cell): 'right' | 'below' | null => {
  const { layout, isCaptioned } = searched;
  const row = layout.row(cell);
  const others = layout
    .mates(cell)
    .filter((mate) => mate !== cell && isCaptioned(mate) && !/\d/.test(mate.text));
  const column = others.filter((mate) => isAligned(mate, cell));
  const beside = others.filter((mate) => row.includes(mate));
  for (const among of [[...column, ...beside], others]) {
    const [isRight, isBelow] = SIDES.map((side) => among.some((mate) => hasNumber(layout, mate, side)));
    if (isRight !== isBelow) return isRight ? 'right' : 'below';
  }
  const neighbours = [layout.next(cell, 'above'), layout.next(cell, 'below')];
  const isListed = column.some((mate) => neighbours.includes(mate));
  if (isListed === beside.length > 0) return null;
  return isListed ? 'right' : 'below';
};

const SIDES = ['right', 'below'] as const;

/** Whether a number, a sum or a date stands right of a cell, or in its column below. */
const hasNumber = (layout: Layout, cell: Cell, side: Side): boolean => {
  const found = layout.next(cell, side);
  return found !== null && (side === 'right' || isAligned(found, cell)) && NUMBER.test(found.text);
};

const NUMBER =
  /^[-(+]?\s?(?:[£€$]|(?:RM|USD|EUR|GBP|CHF|US\$) ?)?[-(]?\d\S*(?: \d{3}\S*)*(?: ?(?:[€£$%]|[A-Z]{2,3})\W*)?$|^\d{1,2}\S{0,2} \p{L}{3,9}\.? \d{4}$|^\p{L}{3,9}\.? \d{1,2}, \d{4}$/u;

/** Whether something stands below a cell that may be its value, were it a caption. */
export const hasBelow = ({ layout, isCaptioned }: Searched, cell: Cell): boolean => {
  const below = layout.next(cell, 'below');
  return below !== null && !isCaptioned(below) && isAligned(below, cell);
};

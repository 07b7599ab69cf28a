import type { LabelIndex } from './labelIndex.ts';
import { type Cell, gap, type Layout, type Side } from './layout.ts';
import { isAddress, isOther } from './lineKinds.ts';

/** Whether a label is in a row of captions: the heads of columns, with a number below a known one. */
export const isHeaded = (labels: LabelIndex, cell: Cell): boolean => {
  const { layout, isCaptioned } = labels;
  const others = layout.row(cell).filter((peer) => peer !== cell);
  if (others.length === 0) return false;
  const isHead = others.every((peer) => !/\d/.test(peer.text));
  return (
    others.every(isCaptioned) ||
    (isHead && others.some((peer) => isCaptioned(peer) && hasNumber(layout, peer, 'below')))
  );
};

/** Whether captions and values alternate down the page: below the value is a caption again, or nothing. */
export const isStacked = (labels: LabelIndex, cell: Cell, value: Cell): boolean => {
  const { layout, isCaptioned } = labels;
  const after = layout.next(value, 'below');
  if (after && !isCaptioned(after)) return false;
  return captionsAligned(labels, cell).some((peer) => layout.next(peer, 'right') === null);
};

const captionsAligned = ({ layout, isCaptioned }: LabelIndex, cell: Cell): readonly Cell[] =>
  layout.peers(cell).filter((peer) => peer !== cell && isAligned(peer, cell) && isCaptioned(peer));

const isAligned = (a: Cell, b: Cell): boolean =>
  Math.abs(a.spot.left - b.spot.left) < (a.spot.bottom - a.spot.top) / 2;

/** Whether captions are above or below a cell, at its left edge; of a number directly. */
export const isInCaptionColumn = (labels: LabelIndex, cell: Cell): boolean => {
  const { layout, isCaptioned } = labels;
  const aligned = captionsAligned(labels, cell);
  if (!NUMBER.test(cell.text)) return aligned.length > 0;
  const beside = [layout.next(cell, 'above'), layout.next(cell, 'below')];
  return beside.some((peer) => peer !== null && aligned.includes(peer) && isCaptioned(peer));
};

/**
 * The side of values, by the other captions of a label's row and column, then of its page: the one on which
 * some have a number; else the right, where captions are directly above or below the label, or below, where
 * one is beside it.
 */
export const directionOf = (labels: LabelIndex, cell: Cell): 'right' | 'below' | null => {
  const { layout, isCaptioned } = labels;
  const row = layout.row(cell);
  const others = layout
    .peers(cell)
    .filter((peer) => peer !== cell && isCaptioned(peer) && !/\d/.test(peer.text));
  const column = others.filter((peer) => isAligned(peer, cell));
  const beside = others.filter((peer) => row.includes(peer));
  for (const among of [[...column, ...beside], others]) {
    const [isRight, isBelow] = (['right', 'below'] as const).map((side) =>
      among.some((peer) => hasNumber(layout, peer, side)),
    );
    if (isRight !== isBelow) return isRight ? 'right' : 'below';
  }
  const neighbours = [layout.next(cell, 'above'), layout.next(cell, 'below')];
  const isListed = column.some((peer) => neighbours.includes(peer));
  if (isListed === beside.length > 0) return null;
  return isListed ? 'right' : 'below';
};

/** Whether a number, a sum or a date is right of a cell, or in its column below. */
const hasNumber = (layout: Layout, cell: Cell, side: Side): boolean => {
  const found = layout.next(cell, side);
  return found !== null && (side === 'right' || isAligned(found, cell)) && NUMBER.test(found.text);
};

const NUMBER =
  /^[-(+]?\s?(?:[£€$]|(?:RM|USD|EUR|GBP|CHF|US\$) ?)?[-(]?\d\S*(?: \d{3}\S*)*(?: ?(?:[€£$%]|[A-Z]{2,3})\W*)?$|^\d{1,2}\S{0,2} \p{L}{3,9}\.? \d{4}$|^\p{L}{3,9}\.? \d{1,2}, \d{4}$/u;

/** Whether a cell, were it a caption, has a value below. */
export const hasBelow = ({ layout, isCaptioned }: LabelIndex, cell: Cell): boolean => {
  const below = layout.next(cell, 'below');
  return below !== null && !isCaptioned(below) && isAligned(below, cell);
};

/** Whether the next line continues a text: indented after the label, neither caption nor address. */
export const isContinued = ({ layout, isCaptioned }: LabelIndex, label: Cell, value: Cell): boolean => {
  const below = layout.next(value, 'below');
  if (!below || isCaptioned(below)) return false;
  const height = value.spot.bottom - value.spot.top;
  const isFirst = layout.row(below).every(({ spot }) => spot.left >= below.spot.left);
  const isIndented = below.spot.left > label.spot.left + height / 2;
  const isNear = (gap(value, below, 'below') ?? height) < height;
  return isFirst && isIndented && isNear && !isOther(below.text) && !isAddress(below.text);
};

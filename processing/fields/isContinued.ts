import { isAddress, isOther } from './headKinds.ts';
import { type Cell, gap } from './layout.ts';
import type { Searched } from './searched.ts';

/** Whether the next line goes on with a text: it begins right of the label, and is neither a caption nor an address. */
export const isContinued = ({ layout, isCaptioned }: Searched, label: Cell, value: Cell): boolean => {
  const below = layout.next(value, 'below');
  if (!below || isCaptioned(below)) return false;
  const height = value.spot.bottom - value.spot.top;
  const isFirst = layout.row(below).every(({ spot }) => spot.left >= below.spot.left);
  const isIndented = below.spot.left > label.spot.left + height / 2;
  const isNear = (gap(value, below, 'below') ?? height) < height;
  return isFirst && isIndented && isNear && !isOther(below.text) && !isAddress(below.text);
};

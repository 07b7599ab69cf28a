import type { Line } from '../page.ts';
import { type Candidate, candidate, doubtful } from './candidate.ts';
import { nameOf } from './companyNames.ts';
import { hasDate } from './dates.ts';
import { type Cell, layoutOf } from './layout.ts';
import { hasPostcode, isAddress, isOther, letters } from './lineKinds.ts';
import { startsWithCaption } from './synonyms.ts';

/** How many of a page's first lines may name who it is for. */
const MAX_LINES = 16;
/** A name, and up to so many lines of its address. */
const MAX_ADDRESS = 4;
const LIKELIHOOD = 0.7;

/**
 * Who a paper is for where no caption says so: the second name with an address below it in a column of the
 * first page, the first being the sender's, which may be in one line above. To be checked by a person.
 */
export const addresseeCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const first = lines[0]?.place;
  const head = lines
    .filter(({ place }) => place.fileId === first?.fileId && place.page === first.page)
    .slice(0, MAX_LINES);
  const layout = layoutOf(head);
  const cells = head.flatMap((line) => layout.cellsOf(line));
  const names = cells.filter((cell) => isName(cell) && hasAddressBelow(cell, cells));
  const hasSenderLine = head.slice(0, 2).some(({ text }) => letters(text) >= SENDER && hasPostcode(text));
  const found = names.toSorted((a, b) => a.spot.top - b.spot.top)[hasSenderLine ? 0 : 1];
  if (!found) return [];
  const words = found.parts.map(({ word }) => word);
  return [doubtful(candidate(found.text, LIKELIHOOD, found.line, words))];
};

/** A line of name and address has more letters. */
const SENDER = 20;

const isName = ({ text, line, parts }: Cell): boolean =>
  nameOf({ ...line, text, words: parts.map(({ word }) => word) }) !== null &&
  letters(text) >= 4 &&
  !/[\d:]/.test(text) &&
  !startsWithCaption(text);

/** Whether lines below a cell, as far left as it, lead to a town with a postcode. */
const hasAddressBelow = (cell: Cell, cells: readonly Cell[]): boolean => {
  const height = cell.spot.bottom - cell.spot.top;
  const column = cells
    .filter(({ spot }) => spot.top > cell.spot.top && Math.abs(spot.left - cell.spot.left) < height)
    .sort((a, b) => a.spot.top - b.spot.top)
    .slice(0, MAX_ADDRESS);
  const town = column.findIndex(({ text }) => hasPostcode(text) && !hasDate(text));
  const own = column.slice(0, town + 1);
  return (
    town > 0 &&
    own.every(
      ({ spot, text }, index) =>
        spot.top - (own[index - 1] ?? cell).spot.bottom < height * MAX_GAP &&
        !isOther(text) &&
        (index > 0 || isAddress(text) || /\d/.test(text)),
    )
  );
};

/** Between lines of one address, in heights of a line. */
const MAX_GAP = 1.5;

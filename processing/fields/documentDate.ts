import { isSamePage, type Line } from '../page.ts';
import { type Candidate, candidate, doubtful, wordsWithin } from './candidate.ts';
import { datesIn, type FoundDate, isAhead } from './dates.ts';
import { type Cell, type Layout, layoutOf } from './layout.ts';
import type { Notation } from './notation.ts';
import { hasAny, isAmong, vocabulary, wordsIn } from './words.ts';

/**
 * The dates that may be the document's own: likelier beside or below "date" or the words of the field
 * (`named`), beside a time of day, when stated twice, and on the first page that has any.
 */
export const dateCandidates = (
  lines: readonly Line[],
  notation: Notation,
  named: readonly string[],
): readonly Candidate[] => {
  const layout = layoutOf(lines);
  const all = lines.flatMap((line) => {
    const dates = datesIn(line.text, notation);
    return dates.map((date) => {
      const words = wordsWithin(line.words, date.start, date.start + date.text.length);
      const cell = layout.cellOf(words[0]);
      const besides = cell ? datesIn(cell.text, notation) : dates;
      return { date, line, words, heading: cell ? headingOf(cell, layout) : '', alone: besides.length < 2 };
    });
  });
  const first = all[0]?.line.place;
  const isLate = ({ iso }: FoundDate): boolean => isAhead(iso, notation.today);
  const hasNearer = all.some(({ date }) => !isLate(date));
  return all.map(({ date, line, words, heading, alone }, index) => {
    const repeated = all.some((other) => other.line !== line && other.date.iso === date.iso);
    const near = nearness(line, date, heading, named);
    const isImplausible = date.iso < '2000' || (hasNearer && isLate(date) && near < NAMED);
    const likelihood =
      0.72 +
      near +
      (/\d{1,2}:\d{2}/.test(line.text) ? 0.12 : 0) +
      (repeated ? 0.1 : 0) +
      (index === 0 ? 0.05 : 0) -
      (first && isSamePage(line.place, first) ? 0 : LATER_PAGE) -
      (alone ? 0 : 0.3) -
      (date.ambiguous ? AMBIGUOUS : 0) -
      (isImplausible ? IMPLAUSIBLE : 0);
    const own = candidate(date.text, likelihood, line, words);
    return date.isDoubtful ? doubtful(own) : own;
  });
};

/** For later pages, with dates of deliveries and attachments. */
const LATER_PAGE = 0.3;
const AMBIGUOUS = 0.05;
/**
 * For days of another century, and for those ahead of today beside one that is not, unless the field names
 * it.
 */
const IMPLAUSIBLE = 0.3;

/** The text above a cell that is a label, not a line with a value of its own. */
const headingOf = (cell: Cell, layout: Layout): string => {
  const above = layout.next(cell, 'above');
  return above && !/\d/.test(above.text) ? above.text : '';
};

/** For a date beside the words of the field. */
const NAMED = 0.35;
const ANY = vocabulary('date day of the on at document doc');

const nearness = (line: Line, { start }: FoundDate, heading: string, named: readonly string[]): number => {
  const own = named.filter((word) => !ANY.includes(word));
  const before = dateWeight(line.text.slice(0, start), own);
  return before === 0 ? dateWeight(heading, own) : before;
};

const dateWeight = (text: string, own: readonly string[]): number => {
  const words = wordsIn(text);
  const has = (...terms: string[]): boolean => hasAny(words, terms);
  if (own.length > 0 && has(...own)) return NAMED;
  if (has('due', 'delivery', 'expiry', 'expires', 'exp', 'until', 'birth', 'born', 'valid', 'since'))
    return -0.4;
  if (has('order', 'ordered', 'print', 'printed', 'ship', 'shipped', 'dispatch', 'previous')) return 0.05;
  if (isOtherDate(words)) return -0.1;
  return has('date', 'datum', 'tarikh', 'fecha', 'issued', 'dated', 'dt') ? 0.2 : 0;
};

/** "Renewal date", "date of travel": a date whose name is not one of the document's own date. */
const isOtherDate = (words: readonly string[]): boolean => {
  const at = words.lastIndexOf('date');
  if (at < 0) return false;
  const after = words.slice(at + 1);
  const names = [
    words[at - 1] ?? '',
    after[0] === 'of' ? (after.find((word) => !ANY.includes(word)) ?? '') : '',
  ];
  return names.some((word) => /^\p{L}{4,}$/u.test(word) && !isAmong(word, OWN));
};

const OWN = vocabulary(
  'invoice bill billing receipt document issue issued sale sales purchase sold transaction trans business payment paid order print printed posting statement note slip ticket time cash credit trading today this your the supply',
);

import type { Line, Page } from '../page.ts';
import type { Candidate } from './candidate.ts';
import { legalFormIn } from './legalForm.ts';
import { letterheadOf } from './letterhead.ts';
import { isAddress } from './lineKinds.ts';

/** The pages from the first whose letterhead has an address or a legal form; all where none has. */
export const fromFirstLetterhead = (pages: readonly Page[]): readonly Page[] => {
  const first = pages.findIndex(({ lines }) =>
    letterheadOf(lines).some(({ text }) => isAddress(text) || legalFormIn(text) !== null),
  );
  return first < 0 ? pages : pages.slice(first);
};

/** The candidates on the first page that has any. */
export const onFirstPage = (
  pages: readonly Page[],
  find: (lines: readonly Line[]) => readonly Candidate[],
): readonly Candidate[] => {
  for (const { lines } of pages) {
    const found = find(lines);
    if (found.length > 0) return found;
  }
  return [];
};

const MARK = /\bpage\W{0,3}(\d{1,3})\s*(?:of|\/)\s*(\d{1,3})\b/i;

/** Whether lines are incomplete: the last "page 1 of 3" among them is not that of the last page. */
export const isIncomplete = (lines: readonly Line[]): boolean => {
  const [, page, count] = lines.map(({ text }) => MARK.exec(text)).findLast((mark) => mark !== null) ?? [];
  return Number(page) < Number(count);
};

/** Candidates with those of later files ranked lower: attachments repeat values. */
export const preferFirstFile = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const first = candidates[0]?.place.fileId;
  return candidates.map((one) => (one.place.fileId === first ? one : { ...one, rank: one.rank * LATER }));
};

const LATER = 0.8;

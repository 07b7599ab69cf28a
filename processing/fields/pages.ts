import type { Line, Page } from '../page.ts';
import type { Candidate } from './candidate.ts';
import { legalFormIn } from './legalForm.ts';
import { letterheadOf } from './letterhead.ts';
import { isAddress } from './lineKinds.ts';

/** The pages from the first whose head tells an issuer, by an address or a legal form; all of them where none does. */
export const fromFirstLetterhead = (pages: readonly Page[]): readonly Page[] => {
  const first = pages.findIndex(({ lines }) =>
    letterheadOf(lines).some(({ text }) => isAddress(text) || legalFormIn(text) !== null),
  );
  return first < 0 ? pages : pages.slice(first);
};

/** What is found on the first page on which anything is. */
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

/** Whether lines break off: the last "page 1 of 3" among them is not that of the last page. */
export const isIncomplete = (lines: readonly Line[]): boolean => {
  const marks = lines.flatMap(({ text }) => {
    const mark = MARK.exec(text);
    return mark ? [mark] : [];
  });
  const [, page, count] = marks.at(-1) ?? [];
  return Number(page) < Number(count);
};

/** Lines by the files that they are of, in the order of the files. */
export const byFile = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const files = [...new Set(lines.map(({ place }) => place.fileId))];
  return files.map((file) => lines.filter(({ place }) => place.fileId === file));
};

/** Candidates of which those of the first file that has any stand before as good ones of later files: attachments say the like. */
export const preferFirstFile = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const first = candidates[0]?.place.fileId;
  return candidates.map((one) => (one.place.fileId === first ? one : { ...one, rank: one.rank * LATER }));
};

const LATER = 0.8;

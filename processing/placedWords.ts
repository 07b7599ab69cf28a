import { MAX_WORD_LENGTH, MAX_WORDS } from '../domain/pageWords.ts';
import type { Box } from '../domain/submission/processingResult.ts';
import { groupBy } from '../kernel/groupBy.ts';
import { type Page, wordsOn } from './page.ts';
import type { FileWords, PlacedWord } from './types.ts';

/** The words with boxes on the pages of files, as many as are kept (words-2), in the order of their lines. */
export const placedWords = (pages: readonly Page[]): readonly FileWords[] =>
  [...groupBy(pages, ({ fileId }) => fileId)]
    .map(([fileId, own]) => ({ fileId, pages: own.map(placedOn) }))
    .filter((file) => file.pages.some((words) => words.length > 0));

const placedOn = (page: Page): readonly PlacedWord[] =>
  wordsOn(page)
    .flatMap(({ text, box }) => (box && text.length <= MAX_WORD_LENGTH ? { text, box: rounded(box) } : []))
    .slice(0, MAX_WORDS);

/** To hundredths of a pixel or point: nobody sees more, and more takes twice the bytes. */
const rounded = ({ left, top, right, bottom }: Box): Box => ({
  left: round(left),
  top: round(top),
  right: round(right),
  bottom: round(bottom),
});

const round = (value: number): number => Math.round(value * 100) / 100;

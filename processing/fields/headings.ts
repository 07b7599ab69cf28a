import type { OutputField } from '../../domain/workflow.ts';
import { phrasesOf, wordsIn } from './labels.ts';
import type { Cell } from './layout.ts';
import { LABEL_WORDS } from './vocabulary.ts';

/** Tells a cell that is the label of something from one that is a value. */
export type IsHeading = (cell: Cell) => boolean;

const WORDS = new Set(LABEL_WORDS);

/** Whether all of a printed word is what labels are made of. */
export const isOfLabels = (text: string): boolean => {
  const words = wordsIn(text);
  return words.length > 0 && words.every((word) => WORDS.has(word));
};

/** What is a heading among the fields asked for: one of their labels, words of labels only, or what ends in a colon. */
export const headings = (asked: readonly OutputField[]): IsHeading => {
  const labels = new Set(asked.flatMap((field) => phrasesOf(field).map((phrase) => phrase.join(' '))));
  return ({ text }) => {
    const words = wordsIn(text);
    if (/\d/.test(text) || words.length === 0) return false;
    return /:\W*$/.test(text) || words.every((word) => WORDS.has(word)) || labels.has(words.join(' '));
  };
};

import type { OutputField } from '../../domain/workflow.ts';
import { phrasesOf, wordsIn } from './labels.ts';
import type { Cell } from './layout.ts';

/** Tells a cell that is the label of something from one that is a value. */
export type IsHeading = (cell: Cell) => boolean;

/** Words of which labels are made, in documents of any kind. */
const OF_LABELS = `
date day time due issued delivery no nr num number id code ref reference invoice receipt bill order document doc page
account acct customer client vendor supplier company name address phone tel telephone fax email contact department
cashier salesperson operator clerk table terminal counter register project contract currency terms method
total subtotal sub amount amt balance price unit rate qty quantity item items description discount tax vat gst sst
net gross grand payable of to from by the our your for and per
`;
const WORDS = new Set(OF_LABELS.trim().split(/\s+/));

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

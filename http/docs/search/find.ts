import type { Entry } from './entries.ts';

/** What was found, best first, with the words that were looked for. */
export type Found = Readonly<{ words: readonly string[]; entries: readonly Entry[] }>;

const MAX_WORDS = 8;
const MAX_FOUND = 20;
/** A word of a title says more than one of a text; a whole one more than a beginning. */
const [IN_TITLE, IN_TEXT, WHOLE] = [10, 1, 2];

/** Looks for entries that have every word of a question, as words or beginnings of words. */
export const finderOf = (entries: readonly Entry[]): ((question: string) => Found) => {
  const known = entries.map((entry) => ({
    entry,
    title: spaced(entry.title),
    text: spaced(`${entry.kind} ${entry.text}`),
  }));
  return (question) => {
    const words = spaced(question).split(' ').filter(Boolean).slice(0, MAX_WORDS);
    const scored = known
      .map(({ entry, title, text }) => ({ entry, score: scoreOf(words, title, text) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
    return { words, entries: scored.slice(0, MAX_FOUND).map(({ entry }) => entry) };
  };
};

/** The words of a text in lower case, with a space before and after each. */
const spaced = (text: string): string => ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, ' ')} `;

/** Endings without which a word still begins as it did: `retry` finds `retries`. */
const ENDING = /(?<=.{4})(?:ies|es|ed|ing|[sy])$/;

/** 0 where a word is missing. */
const scoreOf = (words: readonly string[], title: string, text: string): number => {
  const scores = words.map((word) => IN_TITLE * weight(title, word) + IN_TEXT * weight(text, word));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
};

const weight = (text: string, word: string): number =>
  text.includes(` ${word} `) ? WHOLE : text.includes(` ${word.replace(ENDING, '')}`) ? 1 : 0;

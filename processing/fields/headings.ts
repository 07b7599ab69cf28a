import { wordsIn } from './labels.ts';
import { LABEL_WORDS } from './vocabulary.ts';

const WORDS = new Set(LABEL_WORDS);

/** Whether all of a printed word is what labels are made of. */
export const isOfLabels = (text: string): boolean => {
  const words = wordsIn(text);
  return words.length > 0 && words.every((word) => WORDS.has(word));
};

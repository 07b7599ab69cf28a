import type { Word } from '../page.ts';
import { lettersApart } from './labels.ts';
import { inCaseOf } from './mend.ts';
import { WORD_PAIRS } from './vocabulary.ts';

/** What is read better than this stands as it was read. */
const DOUBTED = 0.75;
const SURE = 0.85;
const MENDED = 0.7;

/** Words of which a doubted one is mended by the one beside it, with which it stands in many addresses: "KUALA LUNPUR". */
export const mendPairs = (words: readonly Word[]): readonly Word[] =>
  words.map((word, index) => {
    if (word.confidence >= DOUBTED) return word;
    const [before, after] = [words[index - 1], words[index + 1]];
    const known =
      WORD_PAIRS.find(([first, second]) => isSure(before, first) && isAlmost(word, second))?.[1] ??
      WORD_PAIRS.find(([first, second]) => isSure(after, second) && isAlmost(word, first))?.[0];
    const core = coreOf(word);
    if (known === undefined || core.toLowerCase() === known) return word;
    const confidence = Math.max(MENDED, word.confidence);
    return { ...word, confidence, text: word.text.replace(core, inCaseOf(core, known)) };
  });

const coreOf = ({ text }: Word): string =>
  /[\p{L}\p{N}]+(?:[^\p{L}\p{N}]+[\p{L}\p{N}]+)*/u.exec(text)?.[0] ?? '';

const isSure = (word: Word | undefined, known: string | undefined): boolean =>
  word !== undefined && word.confidence >= SURE && coreOf(word).toLowerCase() === known;

/** Whether a word differs from a known one in a letter, or in two where it has six. */
const isAlmost = (word: Word, known: string | undefined): boolean => {
  const read = coreOf(word).toLowerCase();
  if (known === undefined || read.length < 3) return false;
  return lettersApart(read, known) <= (known.length < 6 ? 1 : 2);
};

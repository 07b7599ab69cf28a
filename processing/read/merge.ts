import { type Line, lineOf, type Page, shared, type Word } from '../page.ts';
import type { Box } from '../types.ts';

const OVERLAP = 0.5;
const MOST_WORDS = 2_500;
const DOUBT = 0.75;
/** What only one of two readings has seen must be this sure to be added. */
const SURE = 0.6;

/**
 * Two readings of one page as one: where they saw the same word it is surer, where they differ the surer one stands
 * with some doubt, and what only the second saw clearly is added.
 */
export const merged = (first: Page, second: Page): Page => {
  const others = second.lines.flatMap(({ words }) => words);
  if (others.length > MOST_WORDS) return first;
  const used = new Set<Word>();
  const lines = first.lines.map((line) => {
    const beside = others.filter((word) => !used.has(word) && isBeside(word, line));
    const words = mergedWords(line.words, beside);
    for (const word of beside) used.add(word);
    return lineOf(words, line.place, line.block);
  });
  const fresh = second.lines.flatMap((line): readonly Line[] => {
    const words = line.words.filter((word) => !used.has(word) && word.confidence >= SURE);
    return words.length === 0 ? [] : [lineOf(words, line.place, line.block)];
  });
  return { ...first, lines: fresh.length === 0 ? lines : inOrder([...lines, ...fresh]) };
};

const inOrder = (lines: readonly Line[]): readonly Line[] =>
  [...lines].sort((a, b) => (a.place.box?.top ?? 0) - (b.place.box?.top ?? 0));

/** Whether a word stands in a line, judged by those of its words that are nearest. */
const isBeside = ({ box }: Word, line: Line): boolean => {
  if (!box || !line.place.box || shared(box, line.place.box, 'top', 'bottom') <= 0) return false;
  const nearest = line.words.reduce<Word | null>(
    (best, word) => (best === null || distance(word, box) < distance(best, box) ? word : best),
    null,
  );
  return nearest?.box != null && shared(box, nearest.box, 'top', 'bottom') > OVERLAP;
};

const distance = (word: Word, box: Box): number =>
  word.box ? Math.max(0, word.box.left - box.right, box.left - word.box.right) : Number.POSITIVE_INFINITY;

type Group = { first: Word[]; second: Word[] };

const mergedWords = (first: readonly Word[], second: readonly Word[]): readonly Word[] => {
  const groups: Group[] = first.map((word) => ({ first: [word], second: [] }));
  const added: Word[] = [];
  for (const word of second) {
    const touched = groups.filter((group) =>
      [...group.first].some(
        (one) => word.box && one.box && shared(word.box, one.box, 'left', 'right') > OVERLAP,
      ),
    );
    const [home, ...rest] = touched;
    if (!home) {
      if (word.confidence >= SURE) added.push(word);
      continue;
    }
    home.second.push(word);
    for (const group of rest) {
      home.first.push(...group.first);
      home.second.push(...group.second);
      groups.splice(groups.indexOf(group), 1);
    }
  }
  const left = ({ box }: Word): number => box?.left ?? 0;
  return [...groups.flatMap(decided), ...added].sort((a, b) => left(a) - left(b));
};

const decided = ({ first, second }: Group): readonly Word[] => {
  if (second.length === 0) return first;
  const [ours, theirs] = [textOf(first), textOf(second)];
  const [mine, other] = [sureness(first) + form(ours), sureness(second) + form(theirs)];
  const words = mine >= other ? first : second;
  const sure = (confidence: number): number => {
    if (ours === theirs) return 1 - (1 - confidence) / 2;
    return Math.abs(mine - other) > CLEARLY ? confidence : confidence * DOUBT;
  };
  return words.map((word) => ({ ...word, confidence: sure(word.confidence) }));
};

const CLEARLY = 0.4;

/** What has the form of a date or an amount is likelier read right than what has none. */
const form = (text: string): number => (AMOUNT.test(text) || DATE.test(text) ? 0.3 : 0);

const AMOUNT = /^\W?(?:RM|\$)?\d{1,3}(?:,?\d{3})*\.\d{2}\W?$/;
const DATE = /^\d{1,4}[-/.](?:\d{1,2}|[A-Za-z]{3})[-/.]\d{2,4}$/;

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join('');

const sureness = (words: readonly Word[]): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return (
    words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, letters)
  );
};
